import type { CloseReason, Message } from "../channel.js";
import { checkOptions, type OptionTypes } from "../check-options.js";
import { AcpError } from "../errors.js";
import { frameLimit, jsonOf } from "./ndjson.js";

/** Maximum number of bytes that UTF-8 needs for a character. */
const MOST_BYTES = 3;

/** Maximum number of bytes that JSON needs for a character, as in `\u0001`. */
const MOST_JSON_BYTES = 6;

/** Maximum number of values that {@link estimateBytes} visits. */
const MOST_VISITED = 10_000;

/** Bounds of a channel, in bytes. */
export type ChannelLimits = {
  /**
   * Number of waiting bytes from which `send` returns a promise of room.
   *
   * @defaultValue 256 KiB
   */
  readonly highWater: number;
  /**
   * Number of waiting bytes above which the channel closes as `overflow`.
   *
   * @defaultValue 64 MiB
   */
  readonly unsent: number;
  /**
   * Longest message to send, in bytes of UTF-8. For a longer message, `send` throws.
   *
   * @defaultValue the larger of 32 MiB and the longest message that this side reads
   */
  readonly message: number;
  /**
   * Longest incoming line or message, in bytes. The channel ends if a longer one arrives. Over a WebSocket, the
   * characters of a message are counted instead.
   *
   * @defaultValue 32 MiB
   */
  readonly frame: number;
};

/** Maximum number of bytes that wait to be written, or that wait for delivery after a pause. */
export const unsentLimit = 64 * 1024 * 1024;

/** Returns all limits, with defaults for the missing ones. */
export function allLimits(limits: Partial<ChannelLimits> = {}): ChannelLimits {
  const { frame = frameLimit, message = Math.max(frame, frameLimit) } = limits;
  const { highWater = 256 * 1024, unsent = unsentLimit } = limits;
  return { highWater, unsent, message, frame };
}

const NAMES: OptionTypes<ChannelLimits> = {
  ...{ highWater: "number", unsent: "number", message: "number", frame: "number" },
};

/**
 * Checks the bounds of a channel. Prints members of `limits` that are not bounds.
 *
 * @param others further bounds, with their types
 * @throws TypeError for a bound that is not a number from 0
 */
export function checkLimits(call: string, limits: object = {}, others: object = {}): void {
  checkOptions(`${call} limits`, limits, { ...NAMES, ...others });
}

/** Returns the reason for the end of a channel at its bound of unsent bytes. */
export function overflowReason(limit: number): CloseReason {
  const message = `The other side did not read: more than ${limit} bytes waited to be written.`;
  return { kind: "overflow", message };
}

/** Returns `true` if a text is within a limit of bytes even if each of its characters takes three bytes. */
export const isSurelyWithin = (text: string, limit: number): boolean => text.length * MOST_BYTES <= limit;

/**
 * Checks the size of a message to send. The other side would close the connection if the message were larger.
 *
 * @throws AcpError `too_large` with the method, the size and the bound
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
 * Returns the estimated size of a message that is sent as an object, for a channel without bytes. A message that is too
 * large for a channel of bytes is refused here too.
 *
 * @throws AcpError `too_large` with the method, the size and the bound
 */
export function checkedEstimate(message: Message): number {
  const { bytes, isWhole } = estimate(message);
  if (isWhole && bytes * MOST_JSON_BYTES <= frameLimit) return bytes;
  const exact = jsonBytes(message);
  checkSize(message, exact ?? 0, frameLimit);
  return exact ?? bytes;
}

/**
 * Returns the size of a message as JSON. Returns `undefined` for a message with a cycle, which channels of objects can
 * send.
 */
function jsonBytes(message: Message): number | undefined {
  try {
    return new TextEncoder().encode(jsonOf(message)).length;
  } catch {
    return undefined;
  }
}

/**
 * Estimates the size of a value on a wire, in bytes. The estimate is fast, and exact for ASCII strings. It visits at
 * most {@link MOST_VISITED} values.
 */
export function estimateBytes(value: unknown): number {
  return estimate(value).bytes;
}

/** Returns the estimate, and whether it counts all values. */
function estimate(value: unknown): { readonly bytes: number; readonly isWhole: boolean } {
  let bytes = 0;
  let isCut = false;
  let budget = MOST_VISITED;
  const stack: unknown[] = [value];
  while (stack.length > 0 && budget-- > 0) {
    const item = stack.pop();
    if (typeof item === "string") bytes += item.length + 3;
    else if (typeof item !== "object" || item === null) bytes += 5;
    else if (Array.isArray(item)) {
      bytes += 2;
      for (let i = 0; i < item.length && i < budget; i++) stack.push(item[i]);
      isCut ||= item.length > budget;
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
  return { bytes, isWhole: !isCut && stack.length === 0 };
}
