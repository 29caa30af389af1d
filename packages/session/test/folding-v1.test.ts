import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { v1Codec } from "../src/codec/dialects.js";
import { createSessionState } from "../src/create-session-state.js";
import type { CompactionEntry, ToolCallEntry } from "../src/entry.js";
import type { SessionEvent } from "../src/event.js";
import { reduceAll } from "../src/reduce.js";
import { joinedText, messageText, selectModels, selectModes } from "../src/select.js";
import type { SessionState } from "../src/state.js";
import { soundEvent } from "./arbitrary-event.js";
import { picture } from "./picture.js";

type Update = { readonly sessionUpdate: string; readonly [member: string]: unknown };

const text = (said: string) => ({ type: "text", text: said });
const start = createSessionState();
/** The state after updates as they came from the wire, and what this side did in between. */
const after = (state: SessionState, ...received: readonly (Update | SessionEvent)[]): SessionState =>
  reduceAll(
    state,
    received.flatMap((one) => ("sessionUpdate" in one ? v1Codec.decode(one) : [one])),
  );
const fold = (...received: readonly (Update | SessionEvent)[]): SessionState => after(start, ...received);
const callIn = (state: SessionState): ToolCallEntry => state.timeline.get("tool_call:t") as ToolCallEntry;

/** Each variant of version 1, and how one sees that it was applied. */
const variants: readonly (readonly [Update, (state: SessionState) => unknown, unknown])[] = [
  [{ sessionUpdate: "user_message_chunk", messageId: "u", content: text("U") }, said("user:u"), "U"],
  [{ sessionUpdate: "agent_message_chunk", messageId: "a", content: text("A") }, said("agent:a"), "A"],
  [{ sessionUpdate: "agent_thought_chunk", messageId: "h", content: text("H") }, said("thought:h"), "H"],
  [{ sessionUpdate: "tool_call", toolCallId: "n", title: "N" }, title("tool_call:n"), "N"],
  [{ sessionUpdate: "tool_call_update", toolCallId: "t", title: "T2" }, title("tool_call:t"), "T2"],
  [{ sessionUpdate: "plan", entries: [] }, ({ plans }) => plans.at(0)?.type, "items"],
  [{ sessionUpdate: "available_commands_update", availableCommands: [] }, (s) => s.availableCommands, []],
  [{ sessionUpdate: "current_mode_update", currentModeId: "code" }, (s) => selectModes(s)?.option.currentValue, "code"],
  [{ sessionUpdate: "config_option_update", configOptions: [] }, (s) => s.configOptions, []],
  [{ sessionUpdate: "session_info_update", title: "S" }, (s) => s.title, "S"],
  [{ sessionUpdate: "usage_update", used: 3, size: 9 }, (s) => s.usage?.used, 3],
  [{ sessionUpdate: "notice", severity: "info", title: "I" }, title("notice:#1"), "I"],
  [
    { sessionUpdate: "compaction_update", compactionId: "c", status: "completed" },
    ({ timeline }) => (timeline.get("compaction:c") as CompactionEntry).status,
    "completed",
  ],
  [
    { sessionUpdate: "compaction_summary_chunk", compactionId: "d", content: text("D") },
    ({ timeline }) => joinedText((timeline.get("compaction:d") as CompactionEntry).summary),
    "D",
  ],
];

function said(key: string): (state: SessionState) => unknown {
  return ({ timeline }) => messageText(timeline.get(key) as never);
}
function title(key: string): (state: SessionState) => unknown {
  return ({ timeline }) => (timeline.get(key) as { readonly title?: string } | undefined)?.title;
}

const option = { configId: "mode", name: "Mode", category: "mode", type: "select", currentValue: "ask", options: [] };
const opened = { type: "session_opened", sessionId: "s", configOptions: [option] } as SessionEvent;
const call: Update = { sessionUpdate: "tool_call", toolCallId: "t", title: "T", status: "in_progress" };
const prompted: readonly SessionEvent[] = [
  { type: "prompt_sent", promptId: "p", content: [] },
  { type: "turn_started", promptId: "p" },
];
const ended: SessionEvent = { type: "turn_ended", promptId: "p", stopReason: "end_turn" };

describe("updates of version 1", () => {
  const times: readonly (readonly [string, readonly (Update | SessionEvent)[]])[] = [
    ["before any prompt", [opened, call]],
    ["during a turn", [opened, ...prompted, call]],
    ["after a cancel", [opened, ...prompted, call, { type: "cancel_asked" }]],
    ["after the turn ended", [opened, ...prompted, call, ended]],
    ["during a load", [opened, { type: "replay_started" }, call]],
    ["after a load", [opened, { type: "replay_started" }, call, { type: "replay_ended" }]],
  ];
  it.each(times)("V1-UPD-02, V1-UPD-32: each variant counts %s", (_, before) => {
    for (const [update, read, expected] of variants) {
      const state = after(fold(...before), update);
      expect(read(state)).toEqual(expected);
      expect(state.anomalies).toEqual([]);
      expect(state.timeline.toArray().filter(({ type }) => type === "unknown")).toEqual([]);
    }
  });

  it("V1-UPD-02: of two that say something else of the same thing, the later one counts", () => {
    const pairs: readonly (readonly [Update, Update, (state: SessionState) => unknown])[] = [
      [{ ...call, title: "1" }, { ...call, title: "2" }, (state) => callIn(state).title],
      [
        { sessionUpdate: "usage_update", used: 1, size: 9 },
        { sessionUpdate: "usage_update", used: 2, size: 9 },
        (state) => state.usage?.used,
      ],
      [
        { sessionUpdate: "session_info_update", title: "1" },
        { sessionUpdate: "session_info_update", title: "2" },
        (state) => state.title,
      ],
    ];
    for (const [one, two, read] of pairs) {
      expect([read(fold(one, two)), read(fold(two, one))].map(String)).toEqual(["2", "1"]);
    }
    const chunk = (letter: string): Update => ({ sessionUpdate: "agent_message_chunk", content: text(letter) });
    expect(messageText(fold(...[..."order"].map(chunk)).timeline.at(0) as never)).toBe("order");
  });

  it("V1-UPD-12: a second tool_call sets back what it leaves out, where it stands", () => {
    const full: Update = {
      ...call,
      name: "run",
      kind: "execute",
      content: [{ type: "content", content: text("x") }],
      locations: [{ path: "/a" }],
      rawInput: { a: 1 },
      rawOutput: 2,
      _meta: { m: 1 },
    };
    const state = fold(
      full,
      { sessionUpdate: "agent_message_chunk", content: text("x") },
      {
        sessionUpdate: "tool_call",
        toolCallId: "t",
        title: "Again",
      },
    );
    expect(state.timeline.indexOf("tool_call:t")).toBe(0);
    const entry = callIn(state);
    expect({ ...entry, content: entry.content.toArray() }).toEqual({
      type: "tool_call",
      key: "tool_call:t",
      toolCallId: "t",
      title: "Again",
      kind: "other",
      status: "pending",
      content: [],
      locations: [],
    });
  });

  it("V1-UPD-16: raw values are replaced whole; null is no news", () => {
    const raw = (rawInput: unknown, rawOutput?: unknown): Update => ({
      sessionUpdate: "tool_call_update",
      toolCallId: "t",
      rawInput,
      rawOutput,
    });
    const known = fold(call, raw({ a: { b: 1 }, c: 2 }, "out"));
    expect(callIn(after(known, raw({ a: { d: 3 } })))).toMatchObject({ rawInput: { a: { d: 3 } }, rawOutput: "out" });
    expect(callIn(after(known, raw({ a: { d: 3 } }))).rawInput).not.toHaveProperty("c");
    expect(callIn(after(known, raw(null, null)))).toBe(callIn(known));
    expect(callIn(after(known, raw(false, 0)))).toMatchObject({ rawInput: false, rawOutput: 0 });
  });

  it("V1-UPD-27: metadata of a session is kept where it is left out, cleared by null, and set", () => {
    const info = (_meta?: unknown): Update => ({ sessionUpdate: "session_info_update", title: "T", _meta });
    const known = fold(info({ a: 1 }));
    expect(known._meta).toEqual({ a: 1 });
    expect(after(known, info())._meta).toBe(known._meta);
    expect(after(known, info(7))._meta).toBe(known._meta);
    expect(after(known, info(null))._meta).toBeUndefined();
    expect(after(known, info({ a: 2 }))._meta).toEqual({ a: 2 });
  });

  it("V1-UPD-30: the cost is what the session has cost so far, in the unit that the agent names", () => {
    const usage = (cost: object): Update => ({ sessionUpdate: "usage_update", used: 1, size: 2, cost });
    const spent = fold(usage({ amount: 1.5, currency: "EUR" }), usage({ amount: 2, currency: "EUR" }));
    expect(spent.usage?.cost).toEqual({ amount: 2, currency: "EUR" });
    const credits = { amount: 7, currency: "credits" };
    expect(after(spent, usage(credits)).usage?.cost).toEqual(credits);
  });

  it("V1-UPD-37, V1-UPD-40: a compaction may begin at its end, and its news come in any order", () => {
    const news = (status: string, members: object = {}): Update => ({
      sessionUpdate: "compaction_update",
      compactionId: "c",
      status,
      ...members,
    });
    const chunk: Update = { sessionUpdate: "compaction_summary_chunk", compactionId: "c", content: text("s") };
    const read = (state: SessionState) => {
      const entry = state.timeline.get("compaction:c") as CompactionEntry;
      expect([state.timeline.length, state.anomalies]).toEqual([1, []]);
      return [entry.status, joinedText(entry.summary), entry.error];
    };
    const summary = [text("S")];
    expect(read(fold(news("completed", { summary })))).toEqual(["completed", "S", undefined]);
    expect(read(fold(chunk, news("in_progress"), news("completed"), chunk))).toEqual(["completed", "ss", undefined]);
    expect(read(fold(news("failed", { summary, error: "E" }), news("completed")))).toEqual(["completed", "S", "E"]);
    // Where the session ends first, the compaction stays as it was last told.
    expect(read(fold(news("in_progress"), { type: "session_closed" }))[0]).toBe("in_progress");
  });
});

describe("notices", () => {
  const notice = fc.constant<SessionEvent>({ type: "notice", severity: "error", title: "Out of credit" });
  /** All that a person sees but the notices, and keys, which count whatever has no id. */
  const unnumbered = (state: SessionState): unknown =>
    JSON.parse(
      JSON.stringify({
        ...picture(state),
        entries: state.timeline
          .toArray()
          .filter(({ type }) => type !== "notice")
          .map(({ key, ...entry }) => ({ ...entry, key: key.replace(/#\d+$/, "#") })),
        cancelling: state.cancelling,
        pending: [state.pendingPermissions, state.pendingElicitations],
        anomalies: state.anomalies,
      }),
    );

  it("V1-UPD-34, V2-UPD-22, V2-UPD-23: change nothing but their own place, wherever they come", () => {
    fc.assert(
      fc.property(fc.array(fc.oneof({ weight: 3, arbitrary: soundEvent }, notice), { maxLength: 30 }), (events) => {
        const quiet = events.filter(({ type }) => type !== "notice");
        const [loud, silent] = [reduceAll(start, events), reduceAll(start, quiet)];
        expect(unnumbered(loud)).toEqual(unnumbered(silent));
      }),
      { numRuns: 500 },
    );
  });

  it("V2-UPD-22: are entries of their own kind, kept as plain text with any severity, and gone after a replay", () => {
    const loud = fold({ sessionUpdate: "notice", severity: "shrill", title: "# T", description: "**D**" });
    expect(loud.timeline.toArray()).toMatchObject([
      { type: "notice", severity: "shrill", title: "# T", description: "**D**" },
    ]);
    expect(after(loud, { type: "replay_started" }, { type: "replay_ended" }).timeline.length).toBe(0);
  });

  it("V2-UPD-22: are bounded: when room is needed, the newest hundred stay", () => {
    const said = "x".repeat(50);
    let state = createSessionState({ stateBytes: 200_000 });
    for (let index = 0; index < 2000; index++) {
      state = reduceAll(state, [{ type: "notice", severity: "info", title: `${said}${index}` }]);
    }
    expect(state.timeline.length).toBeLessThan(1000);
    expect(state.timeline.at(-1)).toMatchObject({ title: `${said}1999` });
  });
});

describe("options and models", () => {
  const choice = (id: string, category: string | undefined, name = id) => ({
    id,
    name,
    category,
    type: "select",
    currentValue: "x",
    options: [
      { value: "z", name: "Z" },
      { value: "x", name: "X" },
    ],
  });
  const newSession = (result: object) => v1Codec.call.newSession?.decodeResult({ sessionId: "s", ...result });
  const ofResult = (result: object): SessionState =>
    fold({ type: "session_opened", sessionId: "s", ...newSession(result) });

  it("V1-CFG-12, V2-CFG-02: stay in the agent's order; of two for the same thing the first counts", () => {
    const configOptions = [
      choice("b", "_custom"),
      choice("m2", "model"),
      choice("a", undefined),
      choice("m1", "model"),
      choice("d", "mode"),
    ];
    for (const state of [ofResult({ configOptions }), fold({ sessionUpdate: "config_option_update", configOptions })]) {
      expect(state.configOptions?.map(({ configId }) => configId)).toEqual(["b", "m2", "a", "m1", "d"]);
      expect(selectModels(state)?.option.configId).toBe("m2");
      expect(selectModels(state)?.choices.map(({ value }) => value)).toEqual(["z", "x"]);
      expect(selectModes(state)?.option.configId).toBe("d");
    }
  });

  it("V1-MODEL-03: an option of category model counts before the models of 2025, which may be missing", () => {
    const models = { currentModelId: "old", availableModels: [{ modelId: "old", name: "Old" }] };
    const both = ofResult({ models, configOptions: [choice("llm", "model")] });
    expect(both.configOptions?.map(({ configId, setBy }) => [configId, setBy])).toEqual([["llm", undefined]]);
    const other = ofResult({ models, configOptions: [choice("mode", "mode")] });
    expect(selectModels(other)?.option).toMatchObject({ configId: "model", setBy: "session/set_model" });
    expect(selectModels(ofResult({ configOptions: [choice("mode", "mode")] }))).toBeUndefined();
    expect(newSession({ models: null })).toEqual({ sessionId: "s" });
  });
});
