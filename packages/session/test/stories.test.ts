import { describe, expect, it } from "vitest";
import type { ClientCapabilities } from "../src/call.js";
import type { Codec } from "../src/codec/codec.js";
import { seedCodec, v1Codec, v2Codec } from "../src/codec/dialects.js";
import { createSessionState } from "../src/create-session-state.js";
import type { LocalEvent, WireEvent } from "../src/event.js";
import { reduceAll } from "../src/reduce.js";
import type { SessionState } from "../src/state.js";
import { picture } from "./picture.js";
import { sentFor } from "./sent.js";

const peer: ClientCapabilities = {
  files: { read: false, write: false },
  terminals: false,
  terminalLogin: false,
  elicitation: { form: true, url: true },
  notices: true,
  compaction: true,
  booleanOptions: true,
  subagents: false,
  plans: false,
};

/** Events of a client's driver around a prompt. Where an answer is the end, the request is the turn. */
const around: {
  readonly [dialect: string]: { readonly before: readonly LocalEvent[]; readonly after: readonly LocalEvent[] };
} = (() => {
  const sent: LocalEvent = { type: "prompt_sent", promptId: "p", content: [{ type: "text", text: "Count" }] };
  const started: LocalEvent = { type: "turn_started", promptId: "p" };
  const ended: LocalEvent = { type: "turn_ended", promptId: "p", stopReason: "end_turn" };
  const accepted: LocalEvent = { type: "prompt_accepted", promptId: "p", messageId: "u" };
  const older = { before: [sent, started], after: [ended] };
  return { v1: older, seed: older, v2: { before: [sent, accepted], after: [] } };
})();

/** The client's state after the story was sent to it in a dialect, and what was lost on the way. */
function received(
  codec: Codec,
  story: readonly WireEvent[],
): { readonly state: SessionState; readonly lost: readonly string[] } {
  const { sent, lost } = sentFor(codec, story, peer);
  const { before, after } = around[codec.dialect] as (typeof around)[string];
  const state = reduceAll(createSessionState(), [
    ...before,
    ...sent.flatMap((update) => codec.decode(update)),
    ...after,
  ]);
  return { state, lost: [...new Set(lost.map(({ id }) => id))].toSorted() };
}

/** Returns a state without the conclusions that differ by dialect. */
function comparable(state: SessionState): unknown {
  const { origin: _, ...activity } = state.activity;
  const { promptId: __, ...lastTurn } = state.lastTurn ?? {};
  return JSON.parse(JSON.stringify({ ...picture(state), activity, lastTurn }));
}

const text = (said: string) => ({ type: "text", text: said }) as const;
const work: readonly WireEvent[] = [
  { type: "user_message", messageId: "u", content: [text("Count")] },
  { type: "state_update", state: "running" },
  { type: "agent_thought_chunk", messageId: "h", content: text("Hm. ") },
  { type: "agent_thought_chunk", messageId: "h", content: text("Grep.") },
  { type: "agent_message_chunk", messageId: "a", content: text("Let me see") },
  {
    type: "plan_update",
    plan: { planId: "main", type: "items", entries: [{ content: "Count", priority: "low", status: "pending" }] },
  },
  {
    type: "tool_call_update",
    toolCallId: "t",
    title: "Find",
    name: "grep",
    kind: "search",
    status: "in_progress",
    rawInput: { q: 1 },
  },
  { type: "tool_call_content_chunk", toolCallId: "t", content: { type: "content", content: text("12 files") } },
  {
    type: "tool_call_update",
    toolCallId: "t",
    status: "completed",
    locations: [{ path: "/a", line: 3 }],
    _meta: { k: 1 },
  },
  { type: "agent_message_chunk", messageId: "b", content: text("Forty") },
  { type: "usage_update", used: 12, size: 64_000, cost: { amount: 0.5, currency: "EUR" } },
  { type: "session_info_update", title: "Counting" },
  {
    type: "available_commands_update",
    availableCommands: [{ type: "command", name: "review", description: "R", input: { type: "text", hint: "branch" } }],
  },
  {
    type: "config_option_update",
    configOptions: [
      { configId: "m", name: "Mode", type: "select", currentValue: "x", options: [{ value: "x", name: "X" }] },
    ],
  },
];
const idle: WireEvent = { type: "state_update", state: "idle", stopReason: "end_turn" };

describe("the same story over each dialect", () => {
  it("ends in the same state", () => {
    const states = [v1Codec, v2Codec, seedCodec].map((codec) => received(codec, [...work, idle]));
    expect(states.map(({ lost }) => lost)).toEqual([[], [], []]);
    const [v1, v2, seed] = states.map(({ state }) => comparable(state));
    expect(v1).toEqual(v2);
    expect(seed).toEqual(v2);
    expect(v2).toMatchObject({ activity: { state: "idle" }, lastTurn: { stopReason: "end_turn" } });
  });

  const hard: readonly WireEvent[] = [
    ...work,
    { type: "terminal_update", terminalId: "r", command: "make" },
    { type: "tool_call_update", toolCallId: "x", title: "Run", content: [{ type: "terminal", terminalId: "r" }] },
    { type: "terminal_output_chunk", terminalId: "r", data: "G1szMW1vaw==" },
    { type: "terminal_update", terminalId: "r", exitStatus: { exitCode: 2 } },
    { type: "tool_call_update", toolCallId: "x", status: "cancelled" },
    { type: "agent_message", messageId: "b", content: [text("Forty-one")] },
    { type: "plan_update", plan: { planId: "prose", type: "markdown", content: "# Next" } },
    { type: "state_update", state: "requires_action" },
    { type: "notice", severity: "info", title: "Stale" },
    idle,
  ];

  it("V2-BRG-01, V2-BRG-02, V2-BRG-03, V2-BRG-04, V2-BRG-06: differs only by what was named", () => {
    expect(received(v2Codec, hard).lost).toEqual([]);
    expect(received(v1Codec, hard).lost).toEqual(["message-rewrite", "plan", "state", "terminal", "tool-call-status"]);
    expect(received(seedCodec, hard).lost).toEqual(["notice", "plan", "state", "terminal"]);
  });

  it.each([v1Codec, seedCodec])("V2-BRG-04, V2-SEED-23: shows a terminal as text: %#", (codec) => {
    const { timeline } = received(codec, hard).state;
    const run = timeline.get("tool_call:x");
    expect(run?.type === "tool_call" && run.content.toArray()).toEqual([
      { type: "content", content: text("$ make\nok\n[exit code 2]") },
    ]);
    expect(timeline.get("agent:plan:prose")).toMatchObject({ role: "agent" });
  });
});
