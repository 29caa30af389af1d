import type { Entry, SessionState } from "@turnkit/session";

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
