/**
 * Returns the bytes of a base64 text (RFC 4648, padding optional) after earlier bytes. Returns `undefined` if the text
 * is not base64.
 */
export function bytesOfBase64(text: string, before: readonly number[]): Uint8Array | undefined {
  try {
    // `atob` would ignore white space.
    const binary = /\s/.test(text) ? undefined : atob(text);
    if (binary === undefined) return undefined;
    const bytes = new Uint8Array(before.length + binary.length);
    bytes.set(before);
    for (let index = 0; index < binary.length; index++) bytes[before.length + index] = binary.charCodeAt(index);
    return bytes;
  } catch {
    return undefined;
  }
}

/**
 * Encodes bytes as base64 (RFC 4648). This is done in pieces, because `String.fromCharCode` accepts a limited number of
 * arguments.
 */
export function toBase64(bytes: Uint8Array): string {
  let binary = "";
  for (let start = 0; start < bytes.length; start += 8192) {
    binary += String.fromCharCode(...bytes.subarray(start, start + 8192));
  }
  return btoa(binary);
}

/** Text of the complete characters, and the bytes of an incomplete last character. */
export type Decoded = { readonly text: string; readonly pending: readonly number[] };

/** Decodes UTF-8 that may be cut at any byte. Put `pending` before the next bytes. Invalid bytes become U+FFFD. */
export function decodeUtf8(bytes: Uint8Array): Decoded {
  const tail = new TextDecoder();
  tail.decode(bytes.subarray(-3), { stream: true });
  let end = bytes.length;
  // A replacement character at the end means an incomplete character. It begins at the last byte that can begin a
  // character.
  if (tail.decode() !== "") while ((bytes[--end] as number) < 0xc0);
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  return { text: decoder.decode(bytes.subarray(0, end)), pending: [...bytes.subarray(end)] };
}

/** Number of UTF-16 units that are encoded at a time. */
const PART = 8_192;

const encoder = /* @__PURE__ */ new TextEncoder();
/** Buffer for the bytes of a part. A unit has at most three. */
const buffer = /* @__PURE__ */ new Uint8Array(24_576);

/** Returns the length of a text in bytes of UTF-8. A large text is encoded in parts, all into one buffer. */
export function utf8Length(text: string): number {
  let bytes = 0;
  for (let at = 0; at < text.length; ) {
    // A pair of surrogates stays together. Half of it would count as a character of its own.
    const end = at + (isFirstHalf(text.charCodeAt(at + PART - 1)) ? PART - 1 : PART);
    bytes += encoder.encodeInto(text.slice(at, end), buffer).written;
    at = end;
  }
  return bytes;
}

/** Returns `true` for a unit of UTF-16 that begins a pair. */
const isFirstHalf = (unit: number): boolean => unit >= 0xd800 && unit < 0xdc00;

/** Returns the end of a text, without at least `drop` bytes of its UTF-8. The text is cut between characters. */
export function withoutFirstBytes(text: string, drop: number): { readonly text: string; readonly dropped: number } {
  const bytes = new TextEncoder().encode(text);
  let dropped = Math.min(drop, bytes.length);
  while (isContinued(bytes[dropped])) dropped++;
  return { text: decodeUtf8(bytes.subarray(dropped)).text, dropped };
}

/** Returns `true` for a byte that continues a character. */
const isContinued = (byte = 0): boolean => (byte & 0xc0) === 0x80;
