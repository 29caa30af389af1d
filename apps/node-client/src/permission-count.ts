import type { PermissionQuestion, SessionEvent } from "@turnkit/session";

/** Number of permission questions by their outcome. A question that nobody answered counts as denied. */
export type PermissionCount = { readonly allowed: number; readonly denied: number };

export function createPermissionCounter() {
  const open = new Map<string, PermissionQuestion>();
  const count = { allowed: 0, denied: 0 };
  return {
    count: count as PermissionCount,
    /** Reads an event of a session. If the event denies a question, returns the title of this question. */
    add(event: SessionEvent, sessionId: string): string | undefined {
      if (event.type !== "permission_asked" && event.type !== "permission_answered") return undefined;
      const key = `${sessionId} ${event.requestId}`;
      if (event.type === "permission_asked") {
        open.set(key, event);
        return undefined;
      }
      const question = open.get(key);
      open.delete(key);
      const { outcome } = event;
      const chosen = outcome.outcome === "selected" ? outcome.optionId : undefined;
      const kind = String(question?.options.find(({ optionId }) => optionId === chosen)?.kind ?? "");
      if (chosen !== undefined && !kind.startsWith("reject")) {
        count.allowed += 1;
        return undefined;
      }
      count.denied += 1;
      return question?.title ?? "";
    },
  };
}
