import { AcpError } from "../errors.js";
import type { Message } from "../message.js";
import { frameLimit } from "./ndjson.js";

/** Maximum number of bytes of a character in UTF-8. */
const MOST_BYTES = 3;

/** Returns the size of the longest outgoing message for a channel that reads messages of `frame` bytes. */
export function outgoingLimit(limits: { readonly message?: number; readonly frame?: number } = {}): number {
  return limits.message ?? Math.max(limits.frame ?? 0, frameLimit);
}

/** Returns true if a text is within a limit of bytes with any characters. */
export const isSurelyWithin = (text: string, limit: number): boolean => text.length * MOST_BYTES <= limit;

/**
 * Checks the size of a message. The other side would close the connection at a larger one.
 *
 * @throws AcpError `too_large` that names the method, the size and the bound
 */
export function checkSize(message: Message, bytes: number, limit: number): void {
  if (bytes <= limit) return;
  const what = "method" in message ? message.method : "An answer";
  throw new AcpError(
    "too_large",
    `${what} was not sent: it takes ${bytes} bytes, and ${limit} is the most. Send less, or in pieces.`,
  );
}

/**
 * Estimates the size of a value on a wire, in bytes. The estimate is cheap, and exact for strings of plain ASCII, which
 * make up most of a message. It visits at most 10 000 values.
 */
export function estimateBytes(value: unknown): number {
  let bytes = 0;
  let budget = 10_000;
  const stack: unknown[] = [value];
  while (stack.length > 0 && budget-- > 0) {
    const item = stack.pop();
    if (typeof item === "string") bytes += item.length + 3;
    else if (typeof item !== "object" || item === null) bytes += 5;
    else if (Array.isArray(item)) {
      bytes += 2;
      for (let i = 0; i < item.length && i < budget; i++) stack.push(item[i]);
    } else {
      bytes += 2;
      for (const key in item) {
        const member = (item as Record<string, unknown>)[key];
        bytes += key.length + 4;
        if (typeof member === "string") bytes += member.length + 2;
        else stack.push(member);
      }
    }
  }
  return bytes;
}
