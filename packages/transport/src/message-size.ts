import { AcpError } from "./errors.js";
import type { Message } from "./message.js";
import { frameLimit } from "./ndjson.js";

/** No character takes more bytes in UTF-8. */
const MOST_BYTES = 3;

/** The longest outgoing message of a channel that reads messages of `frame` bytes. */
export function outgoingLimit(limits: { readonly message?: number; readonly frame?: number } = {}): number {
  return limits.message ?? Math.max(limits.frame ?? 0, frameLimit);
}

/**
 * Refuses a message that the other side would close the connection on. `text` is what is about to be written.
 *
 * @throws AcpError `too_large` that names the method, the size and the bound
 */
export function checkSize(message: Message, text: string, limit: number): void {
  if (text.length * MOST_BYTES <= limit) return;
  const bytes = bytesIn(text);
  if (bytes <= limit) return;
  const what = "method" in message ? message.method : "An answer";
  throw new AcpError(
    "too_large",
    `${what} was not sent: it takes ${bytes} bytes, and ${limit} is the most. Send less, or in pieces.`,
  );
}

/** The size of a text in UTF-8, for one that JSON wrote: it has no halves of surrogate pairs, nor a line end but the last. */
function bytesIn(text: string): number {
  let bytes = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    bytes += code < 0x80 ? 1 : code < 0x800 || isSurrogate(code) ? 2 : 3;
  }
  return text.endsWith("\n") ? bytes - 1 : bytes;
}

const isSurrogate = (code: number): boolean => (code & 0xf800) === 0xd800;
