import { describe, expect, it } from "vitest";
import type { ClientCapabilities } from "../src/call.js";
import { seedCodec, v1Codec, v2Codec } from "../src/codec/dialects.js";
import { createSessionState } from "../src/create-session-state.js";
import type { SessionEvent } from "../src/event.js";
import { reduceAll } from "../src/reduce.js";
import { createSnapshot, readSnapshot } from "../src/snapshot.js";
import type { SessionState } from "../src/state.js";
import { stateEvents } from "../src/state-events.js";
import { sentFor } from "./sent.js";

const text = (said: string) => ({ type: "text", text: said }) as const;
const fold = (...events: readonly SessionEvent[]): SessionState => reduceAll(createSessionState(), events);
const message = (messageId: string): SessionEvent => ({ type: "agent_message", messageId, content: [text("x")] });
const started = { type: "replay_started" } as const;
const ended = { type: "replay_ended" } as const;
const [marker] = v2Codec.decode({ sessionUpdate: "replay_complete" }) as [SessionEvent];
const peer = {} as ClientCapabilities;

describe("the end of a replay", () => {
  it("P-REPLAY-06: entries before the marker are history, later ones are live", () => {
    const state = fold(started, message("a"), message("b"), marker, message("c"), ended);
    expect(state).toMatchObject({ replaying: false, history: { end: "agent:b" } });
    expect(state.anomalies).toEqual([]);
  });

  it("P-REPLAY-06: an empty history has no end", () => {
    expect(fold(started, marker, message("c"), ended).history).toEqual({});
  });

  it("P-REPLAY-08: without a marker the answer ends the history", () => {
    expect(fold(started, message("a"), ended, message("b")).history).toEqual({ end: "agent:a" });
  });

  it("P-REPLAY-15: a marker without a replay, and a second one, are noted and change nothing", () => {
    expect(fold(message("a"), marker)).toMatchObject({
      anomalies: [{ what: "an unexpected end of a replay" }],
    });
    const twice = fold(started, message("a"), marker, message("b"), marker, ended);
    expect(twice.history?.end).toBe("agent:a");
    expect(twice.anomalies).toEqual([{ what: "an unexpected end of a replay" }]);
  });

  it("P-REPLAY-16: the state that is reported after the marker ends no work", () => {
    const running = { type: "state_update", state: "running" } as const;
    const state = fold(running, started, marker, { type: "state_update", state: "idle" }, ended);
    expect(state).toMatchObject({ activity: { state: "idle" } });
    expect(state.lastTurn).toBeUndefined();
  });

  it("is sent in version 2 alone, and survives a snapshot and a log", () => {
    const sent = (codec: typeof v1Codec | typeof v2Codec | typeof seedCodec) =>
      sentFor(codec, [{ type: "replay_complete" }]);
    expect(sent(v2Codec).sent).toEqual([{ sessionUpdate: "replay_complete" }]);
    for (const codec of [v1Codec, seedCodec]) expect(sent(codec)).toMatchObject({ sent: [], lost: [] });
    const state = fold(started, message("a"), marker, message("b"), ended);
    expect(readSnapshot(createSnapshot(state)).state?.history).toEqual(state.history);
    expect(fold(...(stateEvents(state) ?? [])).history).toEqual(state.history);
  });
});

describe("patches", () => {
  it("P-COMP-02: a compaction without a status is sent with the one that it has", () => {
    const events: SessionEvent[] = [
      { type: "compaction_update", compactionId: "c" },
      { type: "compaction_update", compactionId: "c", status: "completed" },
      { type: "compaction_update", compactionId: "c", summary: [text("S")] },
    ];
    for (const codec of [v1Codec, v2Codec]) {
      const { sent } = sentFor(codec, events, { ...peer, compaction: true });
      expect(sent.map((one) => "status" in one && one.status)).toEqual(["in_progress", "completed", "completed"]);
    }
  });

  it("P-COMP-03: version 2 reads a compaction without a status, version 1 does not", () => {
    const update = { sessionUpdate: "compaction_update", compactionId: "c", error: null };
    expect(v2Codec.decode(update)).toEqual([{ type: "compaction_update", compactionId: "c", error: null }]);
    expect(v1Codec.decode(update)).toMatchObject([{ type: "unknown" }]);
  });

  it("P-USAGE-01, P-META-01: metadata of the usage is patched by its keys; the cost stays", () => {
    const usage = (members: object) => ({ type: "usage_update", used: 1, size: 9, ...members }) as SessionEvent;
    const cost = { amount: 1, currency: "EUR" };
    const state = fold(
      usage({ cost, _meta: { a: 1, b: { c: 2 } } }),
      usage({ used: 2, _meta: { a: null, b: { d: null } } }),
    );
    expect(state.usage).toEqual({ used: 2, size: 9, cost, _meta: { b: { d: null } } });
    expect(fold(usage({ _meta: { a: 1 } }), usage({ _meta: null })).usage).toEqual({ used: 1, size: 9 });
  });
});

describe("plans", () => {
  const items = {
    planId: "p",
    type: "items",
    entries: [{ content: "a", priority: "high", status: "pending" }],
  } as const;
  const markdown = { planId: "p", type: "markdown", content: "# Plan", path: "/p/PLAN.md" } as const;
  const update = (plan: object): SessionEvent => ({ type: "plan_update", plan }) as SessionEvent;
  const removed: SessionEvent = { type: "plan_removed", planId: "p" };

  it("P-PLAN-02: version 1 clients with plans by id get them as they are, others the only plan", () => {
    const events = [update(items), update(markdown), removed];
    const { sent, lost } = sentFor(v1Codec, events, { ...peer, plans: true });
    expect(sent).toEqual([
      { sessionUpdate: "plan_update", plan: items },
      { sessionUpdate: "plan_update", plan: markdown },
      { sessionUpdate: "plan_removed", planId: "p" },
    ]);
    expect(lost).toEqual([]);
    const older = sentFor(v1Codec, events, peer).sent as { readonly sessionUpdate: string }[];
    expect(new Set(older.map(({ sessionUpdate }) => sessionUpdate))).toEqual(new Set(["plan", "agent_message_chunk"]));
  });

  it("P-PLAN-03, P-PLAN-06: an update replaces a plan of any type; an unknown plan is not removed", () => {
    expect([...fold(update(items), update(markdown)).plans]).toEqual([markdown]);
    expect([...fold(update(items), removed, update(items)).plans]).toEqual([items]);
    expect(fold(removed)).toMatchObject({ anomalies: [] });
  });

  it("P-PLAN-04, P-PLAN-07: both versions read Markdown with its path, and a file", () => {
    for (const codec of [v1Codec, v2Codec]) {
      const file = { planId: "f", type: "file", uri: "file:///f" };
      for (const plan of [markdown, file, { ...markdown, path: "PLAN.md" }])
        expect(codec.decode({ sessionUpdate: "plan_update", plan })).toEqual([{ type: "plan_update", plan }]);
    }
  });

  it("P-PLAN-05: bad entries of a plan are left out one by one", () => {
    const plan = { ...items, entries: [{ content: 5 }, ...items.entries] };
    expect(v2Codec.decode({ sessionUpdate: "plan_update", plan })).toEqual([update(items)]);
  });
});

describe("links to child sessions", () => {
  const child: SessionEvent = { type: "subagent_update", sessionId: "kid", title: "Test runner" };
  const call: SessionEvent = {
    type: "tool_call_update",
    toolCallId: "t",
    title: "Delegate",
    content: [{ type: "session", sessionId: "kid" }],
  };

  it("P-SUB-17: a tool call links to a session", () => {
    const update = {
      sessionUpdate: "tool_call_update",
      toolCallId: "t",
      content: [{ type: "session", sessionId: "kid" }],
    };
    expect(v2Codec.decode(update)).toMatchObject([{ content: [{ type: "session", sessionId: "kid" }] }]);
    expect(v1Codec.decode(update)).toMatchObject([{ content: [{ type: "session", sessionId: "kid" }] }]);
  });

  it("P-SUB1-02: version 1 clients get children and links only after their opt-in, others a title", () => {
    const { sent } = sentFor(v1Codec, [child, call], { ...peer, subagents: true });
    expect(sent).toMatchObject([
      { sessionUpdate: "subagent_update", sessionId: "kid", title: "Test runner" },
      { content: [{ type: "session", sessionId: "kid" }] },
    ]);
    const older = sentFor(v1Codec, [child, call], peer);
    expect(older.sent).toMatchObject([{ content: [{ type: "content", content: text("Test runner") }] }]);
    expect(older.lost.map(({ id }) => id)).toEqual(["subagent", "subagent"]);
  });

  it("P-SUB1-03, P-SUB1-04: version 1 reads children, their state and messages between sessions", () => {
    const update = {
      sessionUpdate: "subagent_update",
      sessionId: "kid",
      state: { state: "idle", stopReason: "cancelled" },
    };
    expect(v1Codec.decode(update)).toEqual([
      { type: "subagent_update", sessionId: "kid", state: { state: "idle", stopReason: "cancelled" } },
    ]);
    const said = { sessionUpdate: "session_message", messageId: "m", senderSessionId: "root", content: [text("Go")] };
    expect(v1Codec.decode(said)).toMatchObject([{ type: "session_message", senderSessionId: "root" }]);
  });
});
