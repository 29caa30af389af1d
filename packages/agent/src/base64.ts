/** Returns bytes as base64 (RFC 4648). `Buffer` does not exist in every runtime. */
export function base64(bytes: Uint8Array): string {
  let binary = "";
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary);
}
