import { bytesOf } from "@turnkit/session/codec";
import { AcpError } from "@turnkit/transport";

/** Largest update that clients read, in bytes of JSON: 32 MiB, less the rest of the message. */
export const MAX_UPDATE_BYTES = 32 * 1024 * 1024 - 64 * 1024;

/** Most bytes of a character of a string in JSON, and of a number, `true`, `false` or `null`. */
const CHARACTER = 6;
const PRIMITIVE = 26;

/** Depth below which values are written as JSON to count their bytes. */
const DEPTH = 100;

/**
 * Refuses an event or a question that is too large to send, before it is stored and folded.
 *
 * @param repeated value that is sent with the event
 * @throws AcpError `too_large`
 */
export function mustFit(value: object, repeated?: unknown, most = MAX_UPDATE_BYTES): void {
  if (fitsSurely(repeated === undefined ? value : [value, repeated], most)) return;
  const bytes = jsonBytes(value) + (repeated === undefined ? 0 : jsonBytes(repeated));
  if (bytes <= most) return;
  const [what, advice] =
    "type" in value
      ? [`An update of type ${value.type}`, "Send less, or in pieces."]
      : ["A question", "Ask with less."];
  const bound = `it takes ${bytes} bytes, and ${most} is the most`;
  throw new AcpError("too_large", `${what} was not sent: ${bound}. ${advice}`);
}

/** Returns the bytes of a value as JSON in UTF-8. */
export const jsonBytes = (value: unknown): number => new TextEncoder().encode(JSON.stringify(value)).length;

/** Returns true if a value fits into one update by a bound that is quicker to count than JSON is to write. */
export const fitsSurely = (value: object, most = MAX_UPDATE_BYTES): boolean => mostBytes(value, most, 0) <= most;

/** Returns an upper bound of a value's bytes as JSON, infinite for one nested too deeply. Stops counting past `most`. */
function mostBytes(value: object, most: number, depth: number): number {
  if (depth > DEPTH) return Number.POSITIVE_INFINITY;
  // A persistent list has counted its bytes already, as at least half of those of its JSON.
  if ("toJSON" in value) return CHARACTER * bytesOf(value);
  const isList = Array.isArray(value);
  let bytes = 0;
  for (const key in value) {
    const member = (value as { readonly [key: string]: unknown })[key];
    bytes += PRIMITIVE + (isList ? 0 : CHARACTER * key.length);
    if (typeof member === "string") bytes += mostBytesOfText(member);
    else if (typeof member === "object" && member !== null) bytes += mostBytes(member, most - bytes, depth + 1);
    if (bytes > most) return bytes;
  }
  return bytes;
}

/** Returns the most bytes that a text takes. Only long texts are scanned: a scan takes a third of the time of JSON. */
function mostBytesOfText(text: string): number {
  if (text.length < MANY) return CHARACTER * text.length;
  return text.length * (PLAIN.test(text) ? 1 : PRINTED.test(text) ? 2 : CHARACTER);
}

/** Length below which a text always fits. */
const MANY = 4 * 1024 * 1024;

/** Characters that JSON writes as one byte, and characters that it writes as at most two. */
const PLAIN = /^[ !#-[\]-~]*$/;
const PRINTED = /^[\t\n\r -~]*$/;
