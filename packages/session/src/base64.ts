const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const INVALID = 255;
let table: Uint8Array | undefined;

function values(): Uint8Array {
  if (table === undefined) {
    table = new Uint8Array(128).fill(INVALID);
    for (let value = 0; value < 64; value++) table[ALPHABET.charCodeAt(value)] = value;
  }
  return table;
}

/**
 * The bytes of a base64 text (RFC 4648, the padding may be missing), after some that came before; `undefined` if it is
 * not base64. Written out because `Buffer` is not everywhere and `atob` throws.
 */
export function bytesOfBase64(text: string, before: readonly number[]): Uint8Array | undefined {
  let length = text.length;
  while (length > 0 && text.length - length < 2 && text.charCodeAt(length - 1) === 61) length--;
  if (length % 4 === 1 || (length !== text.length && text.length % 4 !== 0)) return undefined;
  const bytes = new Uint8Array(before.length + Math.floor((length * 3) / 4));
  bytes.set(before);
  const lookup = values();
  let at = before.length;
  let bits = 0;
  for (let index = 0; index < length; index++) {
    const value = lookup[text.charCodeAt(index)] ?? INVALID;
    if (value === INVALID) return undefined;
    bits = (bits << 6) | value;
    const place = index & 3;
    if (place === 0) continue;
    const shift = 6 - 2 * place;
    bytes[at++] = bits >> shift;
    bits &= (1 << shift) - 1;
  }
  return bytes;
}
