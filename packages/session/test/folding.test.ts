import { describe, expect, it } from "vitest";
import { v2Codec } from "../src/codec/dialects.js";
import { createSessionState } from "../src/create-session-state.js";
import type { SessionEvent } from "../src/event.js";
import { reduceAll } from "../src/reduce.js";
import { messageText } from "../src/select.js";
import type { SessionState } from "../src/state.js";

const text = (said: string) => ({ type: "text", text: said });
const chunk = (kind: string, messageId: string, said: string) => ({
  sessionUpdate: `${kind}_chunk`,
  messageId,
  content: text(said),
});
const tool = (toolCallId: string, members: object = {}) => ({
  sessionUpdate: "tool_call_update",
  toolCallId,
  ...members,
});
const terminal = (members: object) => ({ sessionUpdate: "terminal_update", terminalId: "x", ...members });
const bytes = (data: string) => ({ sessionUpdate: "terminal_output_chunk", terminalId: "x", data });
const state = (members: object) => ({ sessionUpdate: "state_update", ...members });

/** The state after updates as they came from the wire. */
const fold = (...updates: readonly object[]): SessionState =>
  reduceAll(
    createSessionState(),
    updates.flatMap((update) => v2Codec.decode(update)),
  );
const after = (state: SessionState, ...updates: readonly object[]): SessionState =>
  reduceAll(
    state,
    updates.flatMap((update) => v2Codec.decode(update)),
  );

const drawn = ({ timeline }: SessionState): readonly string[] =>
  timeline.toArray().map((entry) => (entry.type === "message" ? `${entry.role}:${messageText(entry)}` : entry.key));

describe("what updates make of a state", () => {
  it("V2-UPD-01, V2-UPD-11: an entity keeps the place of its first sight, whatever comes between", () => {
    const updates = [
      chunk("agent_message", "a", "1"),
      tool("t"),
      chunk("agent_message", "b", "2"),
      chunk("agent_message", "a", "3"),
      tool("t", { title: "T" }),
    ];
    expect(drawn(fold(...updates))).toEqual(["agent:13", "tool_call:t", "agent:2"]);
  });

  it("V2-UPD-09: ids of different kinds do not meet", () => {
    const updates = [
      chunk("user_message", "x", "1"),
      chunk("agent_message", "x", "2"),
      chunk("agent_thought", "x", "3"),
      tool("x"),
      { sessionUpdate: "compaction_update", compactionId: "x", status: "in_progress" },
      terminal({}),
      { sessionUpdate: "plan_update", plan: { type: "items", planId: "x", entries: [] } },
    ];
    const all = fold(...updates);
    expect(drawn(all)).toEqual(["user:1", "agent:2", "thought:3", "tool_call:x", "compaction:x"]);
    expect([all.terminals.length, all.plans.length]).toEqual([1, 1]);
  });

  it("V2-UPD-03, V2-UPD-10: lists are replaced whole and chunks append to what there is", () => {
    const whole = (content: unknown) => ({ sessionUpdate: "agent_message", messageId: "m", content });
    const one = fold(whole([text("A")]), chunk("agent_message", "m", "B"));
    expect(drawn(one)).toEqual(["agent:AB"]);
    expect(drawn(after(one, whole([text("C")]), chunk("agent_message", "m", "D")))).toEqual(["agent:CD"]);
    expect(drawn(after(one, whole(null)))).toEqual(["agent:"]);
    expect(drawn(after(one, whole([])))).toEqual(["agent:"]);
    expect(drawn(after(one, whole("malformed")))).toEqual(["agent:AB"]);
  });

  it("V2-UPD-04, V2-SEED-10: metadata is patched by key, in every draft", () => {
    const meta = (_meta: unknown) => tool("t", { _meta });
    const known = fold(meta({ a: 1, b: { c: 1 } }));
    const read = (of: SessionState) => (of.timeline.at(0) as { _meta?: unknown })._meta;
    expect(read(after(known, meta({})))).toEqual({ a: 1, b: { c: 1 } });
    expect(read(after(known, meta({ a: null, b: { d: 2 } })))).toEqual({ b: { d: 2 } });
    expect(read(after(known, meta(null)))).toBeUndefined();
  });

  it("V2-UPD-05: metadata of a chunk is not the message's", () => {
    const [entry] = fold({ ...chunk("agent_message", "m", "x"), _meta: { a: 1 } }).timeline;
    expect(entry).toMatchObject({ _meta: undefined });
  });

  it("V2-UPD-16, V2-UPD-18: a plan is replaced whole, and made anew after it went", () => {
    const plan = (planId: string, members: object) => ({ sessionUpdate: "plan_update", plan: { planId, ...members } });
    const two = fold(plan("p", { type: "items", entries: [] }), plan("q", { type: "file", uri: "f" }));
    const odd = after(two, plan("p", { type: "opera", acts: 3 }));
    expect(odd.plans.toArray()).toEqual([
      { planId: "p", type: "opera", acts: 3 },
      { planId: "q", type: "file", uri: "f" },
    ]);
    const gone = { sessionUpdate: "plan_removed", planId: "p" };
    const again = after(odd, gone, gone, plan("p", { type: "markdown", content: "x" }));
    expect(again.plans.toArray().map(({ planId }) => planId)).toEqual(["q", "p"]);
  });

  it("V2-UPD-19, V2-CFG-06: lists are replaced in the order of their receipt", () => {
    const option = (configId: string) => ({ type: "boolean", configId, name: "N", currentValue: true });
    const options = (...ids: readonly string[]) => ({
      sessionUpdate: "config_option_update",
      configOptions: ids.map(option),
    });
    const result = v2Codec.call.setConfigOption?.decodeResult({ configOptions: [option("c")] });
    const answer = { type: "config_option_update", configOptions: result?.configOptions ?? [] } satisfies SessionEvent;
    const ids = ({ configOptions }: SessionState) => configOptions?.map(({ configId }) => configId);
    const first = fold(options("a", "b"));
    expect(ids(reduceAll(first, [answer]))).toEqual(["c"]);
    expect(ids(after(reduceAll(first, [answer]), options("a")))).toEqual(["a"]);
  });

  it("V2-UPD-25: the order of a compaction's news is not enforced", () => {
    const news = (status: string, members: object = {}) => ({
      sessionUpdate: "compaction_update",
      compactionId: "c",
      status,
      ...members,
    });
    const summary = { sessionUpdate: "compaction_summary_chunk", compactionId: "c", content: text("s") };
    const [entry] = fold(news("completed"), summary, news("_odd", { error: "E" })).timeline;
    expect(entry).toMatchObject({ status: "_odd", error: "E" });
    expect(entry?.type === "compaction" && entry.summary.length).toBe(1);
  });

  it("V2-TOOL-01: first sight makes a tool call, by whatever it is named", () => {
    const made = { kind: "other", status: "pending", locations: [] };
    expect(fold(tool("t")).timeline.at(0)).toMatchObject(made);
    const item = { type: "hologram" };
    const chunked = fold({ sessionUpdate: "tool_call_content_chunk", toolCallId: "t", content: item }).timeline.at(0);
    expect(chunked).toMatchObject(made);
    expect(chunked?.type === "tool_call" && chunked.content.toArray()).toEqual([item]);
  });

  it("V2-PERM-04, V2-PERM-06: a question's tool call is folded, another subject changes nothing", () => {
    const asked = (subject: object): SessionEvent => {
      const params = {
        sessionId: "s",
        title: "May I?",
        subject,
        options: [{ optionId: "y", name: "Yes", kind: "_dare" }],
      };
      const question = v2Codec.call.askPermission?.decodeParams(params);
      if (question === undefined) throw new Error("no such call");
      const { sessionId: _, ...rest } = question;
      return { type: "permission_asked", requestId: "r", ...rest };
    };
    const known = fold(tool("t", { title: "Old", status: "in_progress" }));
    const folded = reduceAll(known, [asked({ type: "tool_call", toolCall: { toolCallId: "t", status: null } })]);
    expect(folded.timeline.at(0)).toMatchObject({ title: "Old", status: "pending" });
    // V2-PERM-07: an option of an unknown kind stays on offer.
    expect(folded.pendingPermissions[0]?.options).toMatchObject([{ kind: "_dare" }]);
    for (const subject of [
      { type: "command", command: "make", cwd: "/" },
      { type: "spell", rune: 1 },
    ]) {
      const state = reduceAll(known, [asked(subject)]);
      expect(state.timeline).toBe(known.timeline);
      expect(state.pendingPermissions[0]?.subject).toEqual(subject);
    }
  });

  it("V2-TERM-01, V2-TERM-02: a terminal and what shows it come in either order and share no id space", () => {
    const shows = tool("x", { content: [{ type: "terminal", terminalId: "x" }] });
    const late = fold(shows, terminal({ command: "make" }));
    const early = fold(terminal({ command: "make" }), shows);
    expect(late.terminals.toArray()).toEqual(early.terminals.toArray());
    expect(late.timeline.length).toBe(1);
  });

  it("V2-TERM-04, V2-TERM-05, V2-TERM-06: bytes are decoded one chunk at a time, characters across them", () => {
    const split = fold(bytes("ww=="), bytes("qQ=="));
    expect(split.terminals.at(0)?.text).toBe("é");
    const replaced = after(fold(bytes("ww==")), terminal({ output: { data: "QQ==" } }), bytes("Qg=="));
    expect(replaced.terminals.at(0)?.text).toBe("AB");
    expect(after(replaced, terminal({ output: null }), bytes("Qw==")).terminals.at(0)?.text).toBe("C");
  });

  it("V2-TERM-09: bytes that do not read are left out and noted", () => {
    const odd = fold(bytes("QQ=="), bytes("?"), terminal({ output: { data: "!" } }));
    expect([odd.terminals.at(0)?.text, odd.anomalies.length]).toEqual(["A", 2]);
  });

  it("V2-TERM-08, V2-TOOL-14, V2-BG-05: entities change while the session is idle, and change nothing else", () => {
    const background = [{ type: "terminal", terminalId: "x" }];
    const idle = fold(tool("t", { status: "in_progress" }), state({ state: "idle", background }));
    const later = after(idle, terminal({ exitStatus: {} }), tool("u", { status: "cancelled" }));
    expect(later.activity).toBe(idle.activity);
    expect(later.timeline.at(0)).toBe(idle.timeline.at(0));
  });

  it("V2-BG-02, V2-UPD-15: each report is whole", () => {
    const background = [{ type: "tool_call", toolCallId: "t" }];
    const one = fold(state({ state: "running", background }));
    expect(after(one, state({ state: "idle", background: [] })).activity.background).toEqual([]);
    expect(after(one, state({ state: "idle" })).activity.background).toBeUndefined();
  });

  it("V2-CAN-03, V2-SEED-12: the end says why, in whatever words", () => {
    const running = state({ state: "running" });
    expect(fold(running, state({ state: "idle", stopReason: "cancelled" })).lastTurn).toEqual({
      stopReason: "cancelled",
    });
    expect(fold(running, state({ state: "idle", stopReason: "_spent" })).lastTurn).toEqual({ stopReason: "_spent" });
  });

  it("V2-SEED-01: updates of three drafts meet in one state", () => {
    const mixed = fold(
      { sessionUpdate: "plan", entries: [] },
      { sessionUpdate: "plan_update", plan: { type: "items", id: "main", entries: [] } },
      { sessionUpdate: "plan_update", plan: { type: "items", planId: "main", entries: [] } },
      { sessionUpdate: "tool_call", toolCallId: "t", title: "T" },
      tool("t", { content: [{ type: "diff", path: "/a", newText: "x" }] }),
    );
    expect([mixed.plans.length, mixed.timeline.length]).toEqual([1, 1]);
    expect(mixed.timeline.at(0)).toMatchObject({ title: "T" });
  });

  it("V2-DEC-12, V2-BRG-09: what nobody here knows stays in its place and goes on as it came", () => {
    const raw = { sessionUpdate: "hologram", beam: { deep: [1] } };
    const [entry] = fold(raw).timeline;
    expect(entry).toMatchObject({ type: "unknown", raw });
    expect((entry as { raw: unknown }).raw).toBe(raw);
  });
});
