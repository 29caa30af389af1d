import { describe, expect, it } from "vitest";
import { v1Codec, v2Codec } from "../src/codec/dialects.js";
import type { SessionEvent } from "../src/event.js";
import { createSessionTree, reduceTree } from "../src/tree.js";

const text = { type: "text", text: "Run all tests" } as const;
const spawned = {
  sessionUpdate: "subagent_spawned",
  subagentSessionId: "kid",
  name: "Test runner",
  task: "Run all tests",
  capabilities: { cancel: true, close: true },
};
const reported = (state: unknown) => ({ sessionUpdate: "subagent_state_update", subagentSessionId: "kid", state });

/** The child session after updates of its parent. */
function childAfter(...updates: readonly object[]) {
  const messages = updates.flatMap((update) =>
    v1Codec.decode(update).map((event) => ({ sessionId: "root", event: event as SessionEvent })),
  );
  return reduceTree(createSessionTree("root"), messages).nodes.get("kid");
}

describe("child sessions of older drafts", () => {
  it("P-OLD-02: the draft air announces a child by its name and task", () => {
    expect(v1Codec.decode({ ...spawned, prompt: "Please" })).toEqual([
      {
        type: "subagent_update",
        sessionId: "kid",
        title: "Test runner",
        description: "Run all tests",
        capabilities: { cancel: {} },
        extra: { prompt: "Please" },
      },
    ]);
    expect(v1Codec.decode({ ...spawned, capabilities: { cancel: false } })).toMatchObject([{ capabilities: null }]);
    expect(v1Codec.decode({ ...spawned, capabilities: {} })).toMatchObject([{ capabilities: null }]);
    expect(childAfter(spawned)).toMatchObject({ parentId: "root", depth: 1 });
  });

  it.each([
    ["completed", { state: "idle", stopReason: "end_turn" }],
    ["failed", { state: "idle", stopReason: "error" }],
    ["cancelled", { state: "idle", stopReason: "cancelled" }],
    ["disconnected", { state: "unknown" }],
    ["dreaming", { state: "dreaming" }],
    ["toString", { state: "toString" }],
  ])("P-OLD-02: the state %s of air becomes %j", (state, activity) => {
    expect(v1Codec.decode(reported(state))).toEqual([{ type: "subagent_update", sessionId: "kid", state: activity }]);
    expect(childAfter(spawned, reported(state))?.state.activity).toMatchObject(activity);
  });

  it("P-OLD-02: an update of air without an id or a state is malformed, and version 2 does not have it", () => {
    for (const update of [{ ...spawned, subagentSessionId: 5 }, reported(undefined), reported({ state: "idle" })])
      expect(v1Codec.decode(update)).toMatchObject([{ type: "unknown", reason: expect.any(String) }]);
    expect(v2Codec.decode(spawned)).toEqual([{ type: "unknown", raw: spawned }]);
  });

  it("P-OLD-01: the sessions that a chunk of version 1 names are those of its message", () => {
    const chunk = { sessionUpdate: "session_message_chunk", messageId: "m", content: text };
    expect(v1Codec.decode({ ...chunk, senderSessionId: "root", recipientSessionId: "kid" })).toEqual([
      { type: "session_message", messageId: "m", senderSessionId: "root", recipientSessionId: "kid" },
      { type: "session_message_chunk", messageId: "m", content: text },
    ]);
    expect(v1Codec.decode({ ...chunk, recipientSessionId: "kid" })).toMatchObject([
      { type: "session_message", recipientSessionId: "kid" },
      {},
    ]);
    const plain = [{ type: "session_message_chunk", messageId: "m", content: text }];
    expect(v1Codec.decode({ ...chunk, senderSessionId: null, recipientSessionId: null })).toEqual(plain);
    expect(v1Codec.decode({ ...chunk, senderSessionId: 5 })).toEqual(plain);
  });
});
