/**
 * First line of a message of a log. The events follow, each in a line of its own. An event that is larger than a message is cut
 * into parts, and each part has a message of its own.
 */
// NATS-04
export type LogMessageHead = {
  /** Number of the ownership in which the message was written. Later owners have larger numbers. */
  readonly epoch: number;
  /** Number of events of the session before this message. */
  readonly index: number;
  /** Number of events that this message completes. 0 for the mark of a new owner, and for a part before the last one. */
  readonly count: number;
  /** Number of the part, from 0. Absent for whole events. */
  readonly part?: number;
};

/** Message of a log. */
export type LogMessage = { readonly head: LogMessageHead; readonly body: Uint8Array };

const NEWLINE = 10;
const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** Returns a value as JSON in UTF-8. */
export const toBytes = (value: object): Uint8Array => encoder.encode(JSON.stringify(value));

/** Returns a message of a log. `lines` are events, or one part of an event. */
export function encodeLogMessage(head: LogMessageHead, lines: readonly Uint8Array[]): Uint8Array {
  const first = toBytes(head);
  const size = lines.reduce((sum, line) => sum + line.length + 1, first.length);
  const bytes = new Uint8Array(size);
  bytes.set(first);
  let at = first.length;
  for (const line of lines) {
    bytes[at] = NEWLINE;
    bytes.set(line, at + 1);
    at += line.length + 1;
  }
  return bytes;
}

/**
 * Returns the parts of a message of a log.
 *
 * @throws Error for a message that {@link encodeLogMessage} has not made
 */
export function decodeLogMessage(data: Uint8Array): LogMessage {
  const end = data.indexOf(NEWLINE);
  const head = JSON.parse(decoder.decode(end < 0 ? data : data.subarray(0, end))) as LogMessageHead;
  const numbers = [head.epoch, head.index, head.count, head.part ?? 0];
  if (!numbers.every((number) => Number.isSafeInteger(number) && number >= 0))
    throw new Error("the first line of a message of the log is wrong");
  return { head, body: end < 0 ? data.subarray(data.length) : data.subarray(end + 1) };
}

/** Yields the values of the lines of a message, without the first `skipped` of them. */
export function* linesOf(body: Uint8Array, skipped: number): Generator<object> {
  if (body.length === 0) return;
  let number = 0;
  for (let from = 0; from <= body.length; number += 1) {
    const found = body.indexOf(NEWLINE, from);
    const end = found < 0 ? body.length : found;
    if (number >= skipped) yield parsed(body.subarray(from, end));
    from = end + 1;
  }
}

/** Returns the value of JSON in UTF-8. */
export const parsed = (bytes: Uint8Array): object => JSON.parse(decoder.decode(bytes)) as object;

/** Joins the parts of an event. */
export function joined(parts: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}
