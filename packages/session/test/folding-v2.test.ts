import { describe, expect, it } from "vitest";
import { seedCodec, v1Codec, v2Codec } from "../src/codec/dialects.js";
import { createSessionState } from "../src/create-session-state.js";
import type { CompactionEntry, MessageEntry } from "../src/entry.js";
import type { SessionEvent } from "../src/event.js";
import { reduce, reduceAll } from "../src/reduce.js";
import { joinedText, messageText } from "../src/select.js";
import type { SessionState } from "../src/state.js";

type Update = { readonly sessionUpdate: string; readonly [member: string]: unknown };

const text = (said: string) => ({ type: "text", text: said });
const after = (state: SessionState, ...received: readonly (Update | SessionEvent)[]): SessionState =>
  reduceAll(
    state,
    received.flatMap((one) => ("sessionUpdate" in one ? v2Codec.decode(one) : [one])),
  );
const fold = (...received: readonly (Update | SessionEvent)[]): SessionState =>
  after(createSessionState(), ...received);

describe("what the parts of a session hold", () => {
  const plan = (...entries: readonly unknown[]): Update => ({
    sessionUpdate: "plan_update",
    plan: { type: "items", planId: "p", entries },
  });
  const step = (content: string, priority = "high", status = "pending") => ({ content, priority, status });

  it("V2-UPD-17: plan entries may have any priority and status, but need all three members, and come whole again", () => {
    const odd = [step("a", "_urgent", "_blocked"), step("b", "low", "cancelled")];
    const entries = (state: SessionState): unknown => state.plans.at(0);
    expect(entries(fold(plan(...odd)))).toEqual({ type: "items", planId: "p", entries: odd });
    const lacking = [
      { content: "c", priority: "high" },
      { content: "c", status: "pending" },
      { ...step("c"), content: 1 },
    ];
    expect(entries(fold(plan(...lacking, odd[0])))).toMatchObject({ entries: [odd[0]] });
    // Entries have no ids: two that say the same are two, and what is left out is gone.
    expect(entries(fold(plan(odd[0], odd[0])))).toMatchObject({ entries: [odd[0], odd[0]] });
    expect(entries(fold(plan(...odd), plan(step("a", "high", "completed"))))).toMatchObject({
      entries: [{ content: "a", status: "completed" }],
    });
  });

  it("V2-UPD-20: title and time are kept, cleared or set; metadata is patched; directories stay", () => {
    const info = (members: object): Update => ({ sessionUpdate: "session_info_update", ...members });
    const known = fold(
      { type: "session_opened", sessionId: "s", cwd: "/a", additionalDirectories: ["/b"] },
      info({ title: "T", updatedAt: "2026-01-01T00:00:00Z", _meta: { a: 1, b: 2 } }),
    );
    const facts = ({ title, updatedAt, _meta }: SessionState) => [title, updatedAt, _meta];
    expect(facts(after(known, info({})))).toEqual(["T", "2026-01-01T00:00:00Z", { a: 1, b: 2 }]);
    expect(facts(after(known, info({ title: 5, updatedAt: [] })))).toEqual(facts(known));
    expect(facts(after(known, info({ title: null, _meta: { a: null } })))).toEqual([
      undefined,
      "2026-01-01T00:00:00Z",
      { b: 2 },
    ]);
    expect(facts(after(known, info({ title: "", updatedAt: null, _meta: null })))).toEqual(["", undefined, undefined]);
    const moved = after(known, info({ cwd: "/c", additionalDirectories: [] }));
    expect([moved.cwd, moved.additionalDirectories]).toEqual(["/a", ["/b"]]);
  });

  it("V2-UPD-21: used and size are replaced and both needed; the cost is kept, cleared or set, never added up", () => {
    const usage = (members: object): Update => ({ sessionUpdate: "usage_update", used: 1, size: 10, ...members });
    const euros = { amount: 1, currency: "EUR" };
    const known = fold(usage({ cost: euros }));
    expect(after(known, usage({ used: 12, size: 8 })).usage).toEqual({ used: 12, size: 8, cost: euros });
    expect(after(known, usage({ cost: "much" })).usage).toEqual(known.usage);
    expect(after(known, usage({ cost: null })).usage).toEqual({ used: 1, size: 10 });
    const credits = { amount: 3, currency: "credits" };
    expect(after(known, usage({ cost: credits })).usage?.cost).toEqual(credits);
    expect(after(known, usage({ cost: { ...euros, amount: 4 } })).usage?.cost?.amount).toBe(4);
    for (const size of [undefined, null, -1, 1.5, "8"]) {
      const odd = after(known, usage({ size }));
      expect([odd.usage, odd.timeline.at(-1)?.type]).toEqual([known.usage, "unknown"]);
    }
  });

  it("V2-UPD-24, P-COMP-01: a compaction's status, summary and error are kept, cleared or set", () => {
    const news = (members: object): Update => ({ sessionUpdate: "compaction_update", compactionId: "c", ...members });
    const chunk: Update = { sessionUpdate: "compaction_summary_chunk", compactionId: "c", content: text("+") };
    const read = (state: SessionState) => {
      const entry = state.timeline.get("compaction:c") as CompactionEntry;
      return [entry.status, joinedText(entry.summary), entry.error];
    };
    const known = fold(news({ status: "failed", summary: [text("S")], error: "E" }));
    expect(read(after(known, news({ status: "_odd" })))).toEqual(["_odd", "S", "E"]);
    expect(read(after(known, news({ status: "completed", summary: null, error: null })))).toEqual([
      "completed",
      "",
      undefined,
    ]);
    expect(read(after(known, news({ status: "completed", summary: [] })))).toEqual(["completed", "", "E"]);
    expect(read(after(known, news({ status: "completed", summary: [text("T")], error: "F" }), chunk))).toEqual([
      "completed",
      "T+",
      "F",
    ]);
    expect(read(fold(chunk, chunk))).toEqual(["in_progress", "++", undefined]);
    const without = after(known, news({}));
    expect([read(without), without.timeline.length]).toEqual([["failed", "S", "E"], 1]);
    expect(read(after(known, news({ status: null })))).toEqual(["in_progress", "S", "E"]);
    expect(read(fold(news({})))).toEqual(["in_progress", "", undefined]);
    // Whatever its status is: it says nothing about what the session does, nor about what came before it.
    const talk = fold({ sessionUpdate: "agent_message_chunk", messageId: "m", content: text("x") });
    const compacted = after(talk, news({ status: "completed" }));
    expect([compacted.activity, compacted.timeline.at(0)]).toEqual([talk.activity, talk.timeline.at(0)]);
  });

  it("V2-UPD-29: updates count at any time while the session exists", () => {
    const call: Update = { sessionUpdate: "tool_call_update", toolCallId: "t", status: "completed" };
    const said: Update = { sessionUpdate: "agent_message_chunk", messageId: "m", content: text("x") };
    const report = (state: string): Update => ({ sessionUpdate: "state_update", state });
    const opened: SessionEvent = { type: "session_opened", sessionId: "s" };
    const times: readonly (readonly (Update | SessionEvent)[])[] = [
      [],
      [opened],
      [opened, report("running")],
      [opened, report("idle")],
      [opened, report("requires_action")],
      [opened, report("running"), { type: "cancel_asked" }],
      [opened, { type: "replay_started" }],
      [opened, { type: "replay_started", keeps: true }, { type: "replay_ended" }],
    ];
    for (const before of times) {
      const known = fold(...before);
      const state = after(known, call, said, { sessionUpdate: "session_info_update", title: "T" });
      expect(state.timeline.toArray()).toMatchObject([{ status: "completed" }, { messageId: "m" }]);
      expect([state.title, state.anomalies, state.activity]).toEqual(["T", [], known.activity]);
    }
  });

  it("V2-UPD-13: a block is looked at a few times, however long its message is and however often that is drawn", () => {
    const chunks = 3000;
    let looks = 0;
    const counted = (said: string) => ({
      type: "text",
      get text() {
        looks++;
        return said;
      },
    });
    let state = createSessionState();
    const states: SessionState[] = [];
    for (let index = 0; index < chunks; index++) {
      state = after(state, { sessionUpdate: "agent_message_chunk", messageId: "m", content: counted("ab") });
      states.push(state);
      messageText(state.timeline.at(0) as MessageEntry);
    }
    expect(looks).toBeLessThan(chunks * 10);
    // Each state on the way is a snapshot that stays as it was.
    const early = states[9]?.timeline.at(0) as MessageEntry;
    expect([early.content.length, messageText(early)]).toEqual([10, "ab".repeat(10)]);
  });
});

describe("members that nobody knows", () => {
  const updates: readonly Update[] = [
    { sessionUpdate: "agent_message_chunk", messageId: "m", content: { ...text("x"), mood: 1 }, later: 1 },
    { sessionUpdate: "tool_call_update", toolCallId: "t", status: "completed", later: { deep: [1] } },
    { sessionUpdate: "plan_update", plan: { type: "items", planId: "p", entries: [], later: 1 }, later: 1 },
    { sessionUpdate: "usage_update", used: 1, size: 2, cost: { amount: 1, currency: "EUR", later: 1 }, later: 1 },
    { sessionUpdate: "state_update", state: "running", later: 1 },
    { sessionUpdate: "notice", severity: "info", title: "T", later: 1 },
    { sessionUpdate: "hologram", later: 1 },
  ];
  const known = ({ later: _, ...update }: Update): Update => update as Update;

  it.each([v1Codec, v2Codec, seedCodec])(
    "V2-DEC-08: change nothing, and the raw update stays fit to be forwarded: %#",
    (codec) => {
      const readable = updates.filter((update) => codec.decode(update).every(({ type }) => type !== "unknown"));
      const read = (some: readonly Update[]) => reduceAll(createSessionState(), some.flatMap(codec.decode));
      expect(readable.length).toBeGreaterThan(4);
      expect(read(readable)).toEqual(read(readable.map(known)));
      expect(readable.flatMap(codec.decode).map(({ extra }) => Object.keys(extra ?? {}))).toEqual(
        readable.map(() => ["later"]),
      );
      for (const update of updates) {
        const before = JSON.stringify(update);
        const raw = deepFrozen(JSON.parse(before));
        let state = createSessionState();
        for (const event of codec.decode(raw)) state = reduce(state, event);
        expect([state.anomalies, JSON.stringify(raw)]).toEqual([[], before]);
        // An update that cannot be read at all is kept whole, as the very object that came.
        const entry = state.timeline.at(0);
        if (entry?.type === "unknown") expect(entry.raw).toBe(raw);
      }
    },
  );
});

function deepFrozen<T>(value: T): T {
  if (typeof value === "object" && value !== null) {
    for (const member of Object.values(value)) deepFrozen(member);
    Object.freeze(value);
  }
  return value;
}
