import { describe, expect, it } from "vitest";
import { createSessionState } from "../create-session-state.js";
import type { SessionEvent } from "../event.js";
import { reduce, reduceAll } from "../reduce.js";

const child = (members: object): SessionEvent => ({ type: "subagent_update", sessionId: "c", ...members });
const fold = (...events: readonly SessionEvent[]) => reduceAll(createSessionState(), events);

describe("a child session", () => {
  it("V2-UPD-26: is announced, then patched; what it does is replaced whole", () => {
    const state = fold(
      child({ title: "T", cwd: "/a", state: { state: "running", background: [] }, _meta: { a: 1, b: 2 } }),
      child({ cwd: null, state: { state: "idle", stopReason: "end_turn" }, _meta: { a: null } }),
    );
    expect(state.subagents.toArray()).toEqual([
      { sessionId: "c", title: "T", activity: { state: "idle", stopReason: "end_turn" }, _meta: { b: 2 } },
    ]);
  });

  it("V2-UPD-26: whose activity is taken back is not idle but unknown", () => {
    expect(
      fold(child({ state: { state: "idle" } }), child({ state: null })).subagents.get("c")?.activity,
    ).toBeUndefined();
  });

  it("says the same twice without a change", () => {
    const state = fold(child({ title: "T" }));
    expect(reduce(state, child({ title: "T" }))).toBe(state);
  });

  it("is bounded in number", () => {
    const many = Array.from(
      { length: 1500 },
      (_, index): SessionEvent => ({ type: "subagent_update", sessionId: `${index}` }),
    );
    const { subagents } = fold(...many);
    expect(subagents.length).toBeLessThanOrEqual(1000);
    expect(subagents.at(-1)?.sessionId).toBe("1499");
  });
});

describe("a message between sessions", () => {
  const text = { type: "text", text: "x" } as const;

  it("V2-UPD-28: has its place by first sight, its parts by patches and chunks", () => {
    const state = fold(
      { type: "session_message_chunk", messageId: "m", content: text },
      { type: "agent_message_chunk", messageId: "m", content: text },
      { type: "session_message", messageId: "m", senderSessionId: "a", recipientMessageId: "n" },
      { type: "session_message", messageId: "m", recipientMessageId: null },
      { type: "session_message_chunk", messageId: "m", content: text },
    );
    expect(state.timeline.length).toBe(2);
    expect(state.timeline.at(0)).toMatchObject({ type: "session_message", senderSessionId: "a" });
    expect(state.timeline.at(0)).not.toHaveProperty("recipientMessageId", "n");
    const entry = state.timeline.at(0);
    expect(entry?.type === "session_message" && entry.content.toArray()).toEqual([text, text]);
  });

  it("says the same twice without a change", () => {
    const message: SessionEvent = { type: "session_message", messageId: "m", content: [text], _meta: { a: 1 } };
    const state = fold(message);
    expect(reduce(state, message)).toBe(state);
  });
});
