/** Text of the bytes that are whole, and the bytes of a last character that is not whole yet. */
export type Decoded = { readonly text: string; readonly pending: readonly number[] };

/** Decodes UTF-8 that was cut anywhere: put `pending` in front of the next bytes. Invalid bytes become U+FFFD. */
export function decodeUtf8(bytes: Uint8Array): Decoded {
  const end = wholeEnd(bytes);
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  return { text: decoder.decode(bytes.subarray(0, end)), pending: [...bytes.subarray(end)] };
}

/** Where a sequence begins that the bytes do not hold to its end; their length if there is none. */
function wholeEnd(bytes: Uint8Array): number {
  for (let back = 1; back <= 3 && back <= bytes.length; back++) {
    const byte = bytes[bytes.length - back] as number;
    if (byte < 0x80 || byte > 0xf4) break;
    if (byte < 0xc0) continue;
    const needed = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
    return needed > back ? bytes.length - back : bytes.length;
  }
  return bytes.length;
}

/** How many bytes a text takes as UTF-8. */
export const utf8Length = (text: string): number => new TextEncoder().encode(text).length;

/** The end of a text that is left when at least so many bytes of its UTF-8 are dropped, cut between characters. */
export function withoutFirstBytes(text: string, drop: number): { readonly text: string; readonly dropped: number } {
  const bytes = new TextEncoder().encode(text);
  let dropped = Math.min(drop, bytes.length);
  while (isContinued(bytes[dropped])) dropped++;
  return { text: decodeUtf8(bytes.subarray(dropped)).text, dropped };
}

/** Whether a byte goes on with a character. */
const isContinued = (byte = 0): boolean => (byte & 0xc0) === 0x80;
