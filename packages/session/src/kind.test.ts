import { describe, expect, it } from "vitest";
import { createSessionState } from "./create-session-state.js";
import type { SessionEvent } from "./event.js";
import { reduce, reduceAll } from "./reduce.js";

const plan = (planId: string, ...contents: readonly string[]): SessionEvent => ({
  type: "plan_update",
  plan: {
    planId,
    type: "items",
    entries: contents.map((content) => ({ content, priority: "low", status: "pending" })),
  },
});

describe("plans", () => {
  it("V1-UPD-21: are replaced whole, each under its id", () => {
    const state = reduceAll(createSessionState(), [plan("a", "1", "2"), plan("b", "x"), plan("a", "3")]);
    expect(JSON.parse(JSON.stringify(state.plans))).toMatchObject([
      { planId: "a", entries: [{ content: "3" }] },
      { planId: "b", entries: [{ content: "x" }] },
    ]);
  });

  it("V2-UPD-16: are replaced also by one of another form", () => {
    const file: SessionEvent = { type: "plan_update", plan: { planId: "a", type: "file", uri: "file:///p.md" } };
    expect(reduceAll(createSessionState(), [plan("a", "1"), file]).plans.at(0)).toEqual({
      planId: "a",
      type: "file",
      uri: "file:///p.md",
    });
  });

  it("V2-UPD-18: are forgotten, and come back at the end", () => {
    const removed: SessionEvent = { type: "plan_removed", planId: "a" };
    const state = reduceAll(createSessionState(), [plan("a", "1"), plan("b", "x"), removed, plan("a", "2")]);
    expect([...state.plans].map(({ planId }) => planId)).toEqual(["b", "a"]);
    expect(reduce(createSessionState(), removed).plans.length).toBe(0);
  });

  it("are bounded in number, the oldest goes", () => {
    const state = reduceAll(
      createSessionState(),
      Array.from({ length: 150 }, (_, index) => plan(`${index}`, "x")),
    );
    expect([state.plans.length, state.plans.at(0)?.planId]).toEqual([100, "50"]);
  });
});

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
    expect(subagents.length).toBeLessThanOrEqual(1024);
    expect(subagents.at(-1)?.sessionId).toBe("1499");
  });

  it("P-SUB-19: stays while it works: the oldest idle ones are dropped, then those of unknown activity", () => {
    const at = (sessionId: string, state?: string): SessionEvent =>
      ({ type: "subagent_update", sessionId, ...(state && { state: { state } }) }) as SessionEvent;
    const range = (name: string, length: number, state?: string) =>
      Array.from({ length }, (_, index) => at(`${name}${index}`, state));
    const { subagents } = fold(
      at("long", "running"),
      at("asks", "requires_action"),
      ...range("silent", 300),
      ...range("idle", 100, "idle"),
      ...range("busy", 1000, "running"),
    );
    expect(["long", "asks", "busy0", "busy999"].filter((id) => !subagents.has(id))).toEqual([]);
    expect(["idle0", "idle99", "silent0"].filter((id) => subagents.has(id))).toEqual([]);
    expect(fold(...range("silent", 1024), ...range("idle", 1, "idle")).subagents.has("silent256")).toBe(true);
    expect(fold(...range("silent", 700), ...range("idle", 400, "idle")).subagents.has("silent0")).toBe(true);
    expect(fold(...range("busy", 3000, "running")).subagents.length).toBeLessThanOrEqual(1024);
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
