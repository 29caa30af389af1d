/**
 * Returns the SHA-256 hash of a text, in hexadecimal digits.
 *
 * The module is loaded here, because an import of `node:crypto` takes several milliseconds of each start, and few starts
 * need a hash.
 */
export function sha256(text: string): string {
  return process.getBuiltinModule("node:crypto").createHash("sha256").update(text).digest("hex");
}
