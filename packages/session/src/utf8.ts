let decoder: InstanceType<typeof TextDecoder> | undefined;

/** Text of the bytes that are whole, and the bytes of a last character that is not whole yet. */
export type Decoded = { readonly text: string; readonly pending: readonly number[] };

/** Decodes UTF-8 that was cut anywhere: put `pending` in front of the next bytes. Invalid bytes become U+FFFD. */
export function decodeUtf8(bytes: Uint8Array): Decoded {
  const end = wholeEnd(bytes);
  decoder ??= new TextDecoder("utf-8", { ignoreBOM: true });
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
export function utf8Length(text: string): number {
  let bytes = text.length;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    if (unit < 0x80) continue;
    const pair = unit >= 0xd800 && unit < 0xdc00 && (text.charCodeAt(index + 1) & 0xfc00) === 0xdc00;
    bytes += unit < 0x800 ? 1 : 2;
    // A pair is two units and four bytes.
    if (pair) index++;
  }
  return bytes;
}

/** The end of a text that is left when at least so many bytes of its UTF-8 are dropped, cut between characters. */
export function withoutFirstBytes(text: string, drop: number): { readonly text: string; readonly dropped: number } {
  let dropped = 0;
  let index = 0;
  while (index < text.length && dropped < drop) {
    const code = text.codePointAt(index) as number;
    index += code > 0xffff ? 2 : 1;
    dropped += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
  }
  return { text: text.slice(index), dropped };
}
