import type { Session } from "@turnkit/client";
import { createSessionState, reduceAll, type SessionEvent } from "@turnkit/session";
import { RpcError } from "@turnkit/transport";
import { expect, it } from "vitest";
import { resultDocument } from "./result-document.js";

const text = (value: string) => ({ type: "text", text: value }) as const;
const sessionOf = (events: readonly SessionEvent[], stateBytes?: number) => {
  const limits = stateBytes === undefined ? {} : { stateBytes };
  return { id: "s-1", state: reduceAll(createSessionState(limits), events) } as unknown as Session;
};
const says = (messageId: string, value: string): SessionEvent => ({
  ...{ type: "agent_message_chunk", messageId, content: text(value) },
});
const asked = (promptId: string): SessionEvent => ({ type: "prompt_sent", promptId, content: [text("Go")] });

it("holds what was said and done in answer to this prompt, not what was before", () => {
  const session = sessionOf([
    { type: "replay_started" },
    says("m0", "Long ago."),
    { type: "tool_call_update", toolCallId: "c0", kind: "read", status: "completed" },
    { type: "replay_ended" },
    asked("p1"),
    { type: "turn_started", promptId: "p1" },
    says("m1", "First. "),
    { type: "agent_thought_chunk", messageId: "t1", content: text("Hm.") },
    { type: "tool_call_update", toolCallId: "c1", kind: "edit", status: "failed", title: "Edit" },
    says("m2", "Then.\n"),
    {
      ...{ type: "turn_ended", promptId: "p1", stopReason: "end_turn" },
      usage: { totalTokens: 3, inputTokens: 2, outputTokens: 1 },
    },
  ]);
  expect(
    resultDocument({ exitCode: 0, stopReason: "end_turn", session, promptId: "p1", restored: "replayed" }),
  ).toEqual({
    ...{ exitCode: 0, stopReason: "end_turn", text: "First.\n\nThen.", sessionId: "s-1", restored: "replayed" },
    toolCalls: [{ toolCallId: "c1", kind: "edit", status: "failed", title: "Edit" }],
    usage: { totalTokens: 3, inputTokens: 2, outputTokens: 1 },
  });
});

it.each([
  [new RpcError(-32603, "no model"), { code: -32603, message: "no model" }],
  [
    { code: 7, message: "odd" },
    { code: 7, message: "odd" },
  ],
  [new Error("broken"), { message: "broken" }],
])("tells the error %j", (error, received) => {
  expect(resultDocument({ exitCode: 1, error })).toEqual({ exitCode: 1, text: "", toolCalls: [], error: received });
});
