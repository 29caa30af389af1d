/** Bytes as base64 (RFC 4648). Written out because `Buffer` is not everywhere. */
export function base64(bytes: Uint8Array): string {
  let binary = "";
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary);
}
