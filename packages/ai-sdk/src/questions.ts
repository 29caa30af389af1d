import type { PendingQuestion, ToolCallEntry } from "@turnkit/session";
import type { AcpData } from "./acp-message.js";

/** Members of a tool call that a tool part shows. */
export type ShownCall = Omit<ToolCallEntry, "type">;

/** Returns the tool call that shows a question. A question without one is shown by a call of its own. */
export function callOf({ toolCall, question }: PendingQuestion): ShownCall {
  if (toolCall) return toolCall;
  const { requestId, title, subject } = question as typeof question & { title?: string; subject?: object };
  const toolCallId = `permission:${requestId}`;
  const none = [] as never;
  const fixed = { name: "permission", kind: "other", status: "pending", content: none, locations: none } as const;
  return { ...fixed, key: toolCallId, toolCallId, title, rawInput: subject };
}

/** Returns the data part of a question. */
export function questionData(
  { type, question }: PendingQuestion,
  isOpen: boolean,
  toolCallId: string,
): AcpData["acp-permission" | "acp-elicitation"] {
  const status = isOpen ? "asked" : "settled";
  return type === "elicitation" ? { status, question } : { ...question, status, toolCallId };
}
