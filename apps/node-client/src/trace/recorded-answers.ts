import type { PermissionPolicy } from "@turnkit/client";
import type { ElicitationAnswer } from "@turnkit/session";
import type { WireEntry } from "@turnkit/transport/trace";

/** What a recorded client answered to the questions of its agent, in the order of the questions. */
export interface RecordedAnswers {
  readonly permission: PermissionPolicy;
  readonly elicitation: () => ElicitationAnswer;
}

type Message = { readonly id?: unknown; readonly method?: unknown; readonly result?: unknown };

/**
 * Reads the answers of a log. Questions of one kind are answered in the order in which they were asked; one that has no
 * answer in the log is dismissed.
 */
export function createRecordedAnswers(entries: readonly WireEntry[]): RecordedAnswers {
  const permissions = answersTo("session/request_permission", entries);
  const elicitations = answersTo("elicitation/create", entries);
  return {
    permission({ options }) {
      const { outcome } = (permissions.shift() ?? {}) as { outcome?: { outcome?: unknown; optionId?: unknown } };
      const chosen = options.find(({ optionId }) => optionId === outcome?.optionId);
      return chosen === undefined ? { outcome: "cancelled" } : { outcome: "selected", optionId: chosen.optionId };
    },
    elicitation() {
      const answer = elicitations.shift() as { action?: unknown; content?: unknown } | undefined;
      if (answer?.action === "accept") {
        return {
          action: "accept",
          ...(answer.content != null && { content: answer.content as object }),
        } as ElicitationAnswer;
      }
      return { action: answer?.action === "decline" ? "decline" : "cancel" };
    },
  };
}

function answersTo(method: string, entries: readonly WireEntry[]): unknown[] {
  const results = new Map<unknown, unknown>();
  const asked: unknown[] = [];
  for (const entry of entries) {
    if ("received" in entry) {
      const { id, method: called } = (entry.received ?? {}) as Message;
      if (called === method && id !== undefined) asked.push(id);
    } else if ("sent" in entry) {
      const { id, method: called, result } = (entry.sent ?? {}) as Message;
      if (called === undefined && id !== undefined) results.set(id, result);
    }
  }
  return asked.map((id) => results.get(id));
}
