/**
 * Returns the bytes of a base64 text (RFC 4648, padding optional), appended to earlier bytes. Returns `undefined` if
 * the text is not base64.
 */
export function bytesOfBase64(text: string, before: readonly number[]): Uint8Array | undefined {
  try {
    // It would pass over white space.
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
