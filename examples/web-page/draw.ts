import { messageText, type SessionState } from "@turnkit/session";

/** One line of the page. `answers` are the buttons of a question. */
export type Line = {
  readonly kind: "user" | "agent" | "thought" | "tool" | "question";
  readonly text: string;
  readonly answers?: readonly { readonly requestId: string; readonly optionId: string; readonly name: string }[];
};

/** Returns the lines of a conversation. The state alone decides them, so the page can be drawn again at any moment. */
export function linesOf(state: SessionState): Line[] {
  const lines: Line[] = [];
  for (const entry of state.timeline) {
    if (entry.type === "message") lines.push({ kind: entry.role, text: messageText(entry) });
    if (entry.type === "tool_call") lines.push({ kind: "tool", text: `${entry.title}: ${entry.status}` });
  }
  for (const { requestId, title, options } of state.pendingPermissions) {
    const answers = options.map(({ optionId, name }) => ({ requestId, optionId, name }));
    lines.push({ kind: "question", text: title, answers });
  }
  return lines;
}
