import { isAcpError } from "@turnkit/transport";
import { ExpectationError } from "./expectation-error.js";
import type { LoggedEvent, LoggedSession } from "./log-under-test.js";
import { differenceFrom } from "./pattern.js";

type Problem = "not_found" | "exists" | "locked" | "cursor" | "closed" | "failed";

export const infoOf = (sessionId: string, cwd = "/work"): LoggedSession => ({ sessionId, cwd });

export function say(text: string, messageId = text): LoggedEvent {
  const event = { type: "agent_message_chunk", messageId, content: { type: "text", text } };
  return event;
}

export function same(what: string, actual: unknown, expected: unknown): void {
  const difference = differenceFrom(expected, actual) ?? differenceFrom(actual, expected);
  if (difference === undefined) return;
  throw new ExpectationError("mismatch", `${what}: ${difference}`, { expected, actual });
}

/** Expects `work` to reject with a `SessionLogError` of this problem. */
export async function refuses(problem: Problem, what: string, work: () => unknown): Promise<void> {
  let actual: unknown;
  try {
    await work();
    actual = "no error";
  } catch (error) {
    const found = isAcpError(error, "session_log") ? (error as { readonly problem?: unknown }).problem : undefined;
    if (found === problem && (error as Error).message.length > 10) return;
    actual = error;
  }
  const expected = `a SessionLogError with the problem ${problem}`;
  throw new ExpectationError("mismatch", `${what}: expected ${expected}, got ${String(actual)}`, { expected, actual });
}

export async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = [];
  for await (const item of items) list.push(item);
  return list;
}
