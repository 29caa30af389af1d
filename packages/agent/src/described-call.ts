import type { SessionState, ToolCallPatch } from "@turnkit/session";

/** Returns a call in its current form. Contents that the state has dropped are left out; the client already has them. */
export function describeToolCall(state: SessionState, toolCallId: string): ToolCallPatch {
  const entry = state.timeline.get(`tool_call:${toolCallId}`);
  if (entry?.type !== "tool_call") return { toolCallId };
  const { title, kind, status, content, locations, rawInput, dropped } = entry;
  // Older dialects show a terminal of the agent as text. The question need not repeat that text, because the client has it
  // already.
  const repeatable = dropped === undefined && content.toArray().every(({ type }) => type !== "terminal");
  return {
    toolCallId,
    ...(title !== undefined && { title }),
    kind,
    status,
    ...(content.length > 0 && repeatable && { content: content.toArray() }),
    ...(locations.length > 0 && { locations }),
    ...(rawInput !== undefined && { rawInput }),
  };
}
