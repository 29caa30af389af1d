import { RpcError, toRpcError } from "@turnkit/transport";
import type { TurnEnd } from "./prompt-job.js";

/** The most that an error or the usage of an end may take as JSON, in characters. */
const MAX_END_LENGTH = 64 * 1024;

/** What stands around it in the event that is stored. */
const AROUND = 500;

/** The most bytes that a character takes in JSON. */
const CHARACTER = 6;

/**
 * Returns an end that can be stored and sent, since somebody waits for it: an error is shortened where it is too large,
 * and usage left out.
 */
export function boundedEnd(end: TurnEnd, maxEventBytes: number): TurnEnd {
  const most = Math.min(MAX_END_LENGTH, maxEventBytes - AROUND);
  if (!("error" in end)) return end.usage === undefined || fits(end.usage, most) ? end : { stopReason: end.stopReason };
  const { code, message, data } = toRpcError(end.error);
  if (fits([message, data], most)) return end;
  const length = Math.max(0, Math.floor(most / 2 / CHARACTER));
  const { details } = (data ?? {}) as { readonly details?: unknown };
  const left = typeof details === "string" ? { details: shortened(details, length) } : undefined;
  return { error: new RpcError(code, shortened(message, length), left) };
}

function fits(value: unknown, most: number): boolean {
  try {
    const { length } = JSON.stringify(value) ?? "";
    // A character of JSON takes three bytes at the most, those of an escape one each.
    return length * 3 <= most || (length <= most && new TextEncoder().encode(JSON.stringify(value)).length <= most);
  } catch {
    // What is no JSON is refused where it is sent.
    return true;
  }
}

/** The beginning of a text, not cut inside of a character. */
const shortened = (text: string, most: number): string =>
  text.length <= most ? text : `${text.slice(0, most).replace(/[\uD800-\uDBFF]$/, "")}…`;
