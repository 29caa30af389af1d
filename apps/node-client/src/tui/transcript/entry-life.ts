import { isDeepStrictEqual } from "node:util";
import type { Entry, MessageEntry, SessionState } from "@turnkit/session";

/** Whether nothing is going on that could still change an entry. */
export function isResting({ activity, replaying, closed }: SessionState): boolean {
  return closed || (!replaying && activity.state !== "running" && activity.state !== "requires_action");
}

/** Whether an entry changes no more while its session goes on as it should. */
export function isFinished(entry: Entry, isLast: boolean): boolean {
  switch (entry.type) {
    case "message":
      return !isLast || entry.role === "user";
    case "tool_call":
      return ["completed", "failed", "cancelled"].includes(String(entry.status));
    case "compaction":
      return entry.status !== "in_progress";
    default:
      return true;
  }
}

/** Whether an entry that was printed says something else now; metadata and the like are not seen. */
export function saysMore(printed: Entry, now: Entry): boolean {
  if (printed.type === "message" && now.type === "message") {
    const failed = now.prompt?.status === "failed" && printed.prompt?.status !== "failed";
    return failed || (now.role !== "user" && printed.content !== now.content);
  }
  if (printed.type === "tool_call" && now.type === "tool_call") {
    return printed.status !== now.status || printed.content !== now.content;
  }
  return printed.type === "compaction" && now.type === "compaction" && printed.status !== now.status;
}

/**
 * How many of a message's items were seen of it already, if it is what it was and some more; `undefined` if it says
 * something else now. The state may have dropped some of its front since.
 */
export function seenItems(before: MessageEntry, now: MessageEntry): number | undefined {
  const gone = (now.dropped?.items ?? 0) - (before.dropped?.items ?? 0);
  const seen = before.content.length - gone;
  if (seen < 0 || seen > now.content.length) return undefined;
  // By what they say: a piece of text need not be the same object as before.
  return seen === 0 || isDeepStrictEqual(now.content.at(seen - 1), before.content.at(-1)) ? seen : undefined;
}
