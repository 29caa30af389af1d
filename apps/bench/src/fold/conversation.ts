/** Update of version 1, as received. */
export type Update = { readonly sessionUpdate: string; readonly [member: string]: unknown };

const sentence = "The quick brown fox jumps over the lazy dog, and then rests.\n".slice(0, 60);

/** Returns a chunk of 60 bytes. Each chunk has its own text, because texts of parsed chunks are not shared either. */
export function chunk(index: number, more: Readonly<Record<string, unknown>> = {}): Update {
  const text = `${String(index).padStart(8, "0")}${sentence.slice(8)}`;
  return { sessionUpdate: "agent_message_chunk", content: { type: "text", text }, ...more };
}

/** Returns the four updates of a tool call, from its start to its end. */
function toolCall(toolCallId: string): readonly Update[] {
  const content = (text: string) => [{ type: "content", content: { type: "text", text } }];
  const update = { sessionUpdate: "tool_call_update", toolCallId };
  return [
    { sessionUpdate: "tool_call", toolCallId, title: "Run the tests", kind: "execute", status: "pending" },
    { ...update, status: "in_progress", rawInput: { command: "pnpm test" } },
    { ...update, content: content("12 passed") },
    { ...update, status: "completed", content: content("400 passed"), rawOutput: { exitCode: 0 } },
  ];
}

/** Returns the conversation of the comparison: one tool call after every 50 chunks. */
export function conversation(chunks: number): readonly Update[] {
  const updates: Update[] = [];
  for (let index = 0; index < chunks; index++) {
    updates.push(chunk(index));
    if (index % 50 === 49) updates.push(...toolCall(`call-${index}`));
  }
  return updates;
}
