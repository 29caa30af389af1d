import { describe, expect, it } from "vitest";
import { createSessionState } from "../create-session-state.js";
import type { SessionEvent } from "../event.js";
import { reduce, reduceAll } from "../reduce.js";
import { messageText } from "../select.js";

const block = (text: string) => ({ type: "text", text }) as const;
const sent = (promptId: string): SessionEvent => ({ type: "prompt_sent", promptId, content: [block(`${promptId}?`)] });
const echo = (text: string, messageId?: string): SessionEvent => ({
  type: "user_message_chunk",
  messageId,
  content: block(text),
});
const message = (messageId: string, text?: string): SessionEvent => ({
  type: "user_message",
  messageId,
  content: text === undefined ? undefined : [block(text)],
});
const agent = (text: string): SessionEvent => ({ type: "agent_message_chunk", messageId: "a", content: block(text) });
const accepted = (promptId: string, messageId?: string): SessionEvent => ({
  type: "prompt_accepted",
  promptId,
  messageId,
});
const running: SessionEvent = { type: "state_update", state: "running" };
const notice: SessionEvent = { type: "notice", severity: "info", title: "N" };
const tool: SessionEvent = { type: "tool_call_update", toolCallId: "t", title: "T" };
const failed = (promptId: string): SessionEvent => ({
  type: "prompt_failed",
  promptId,
  error: { code: -32602, message: "no" },
});

function drawn(...events: readonly SessionEvent[]): string {
  return [...reduceAll(createSessionState(), events).timeline]
    .map((entry) =>
      entry.type === "message"
        ? `${entry.role}:${messageText(entry)}${entry.prompt ? `(${entry.prompt.status})` : ""}`
        : entry.type,
    )
    .join(" | ");
}

const authored = (messageId: string, text: string, author = "Ann"): SessionEvent => ({
  type: "user_message",
  messageId,
  content: [block(text)],
  _meta: { "turnkit.author": author },
});

describe("SHARE-07 a message with an author", () => {
  it.each<readonly [string, readonly SessionEvent[], string]>([
    ["is another's, unless it says the same", [sent("p"), authored("m", "q?")], "user:p?(sent) | user:q?"],
    ["is the echo of the prompt that it repeats", [sent("p"), authored("m", "p?")], "user:p?(accepted)"],
    [
      "leaves the echo of this client's prompt to a later one",
      [sent("p"), authored("m", "q?"), authored("n", "p?", ""), accepted("p", "n")],
      "user:p?(accepted) | user:q?",
    ],
    [
      "is never an echo in version 1, where clients show their prompts themselves",
      [
        sent("p"),
        { type: "user_message_chunk", messageId: "m", content: block("p?"), _meta: { "turnkit.author": "" } },
      ],
      "user:p?(sent) | user:p?",
    ],
  ])("%s", (_name, events, expected) => {
    expect(drawn(...events)).toBe(expected);
  });
});

describe("a prompt of this client", () => {
  it.each<readonly [string, readonly SessionEvent[], string]>([
    ["is shown at once", [sent("p")], "user:p?(sent)"],
    ["V1-PROMPT-16: its echo without id does not double it", [sent("p"), echo("p?")], "user:p?(accepted)"],
    ["V1-PROMPT-16: nor does one in several chunks", [sent("p"), echo("p"), echo("?")], "user:p?(accepted)"],
    ["V1-PROMPT-16: nor one with an id", [sent("p"), echo("p", "m"), echo("?", "m")], "user:p?(accepted)"],
    ["takes what the agent made of it", [sent("p"), echo("expanded", "m")], "user:expanded(accepted)"],
    [
      "V2-UPD-14: merges by the id that its answer names",
      [sent("p"), accepted("p", "m"), echo("p!", "m"), echo("!", "m")],
      "user:p!!(accepted)",
    ],
    ["V2-UPD-14: also if the echo came first", [sent("p"), echo("p!", "m"), accepted("p", "m")], "user:p!(accepted)"],
    [
      "V2-SEED-09: the first unseen user message is the echo of the first prompt",
      [sent("p"), sent("q"), echo("1", "m"), echo("2", "n")],
      "user:1(accepted) | user:2(accepted)",
    ],
    [
      "V2-SEED-09: is final at the end of its turn if no echo came",
      [sent("p"), agent("x"), { type: "turn_ended", promptId: "p", stopReason: "end_turn" }, echo("other", "m")],
      "user:p?(accepted) | agent:x | user:other",
    ],
    [
      "stays in sight when it failed",
      [sent("p"), { type: "prompt_failed", promptId: "p", error: { code: 1, message: "no" } }, echo("x")],
      "user:p?(failed) | user:x",
    ],
    [
      "keeps its place where a prompt is a turn",
      [sent("p"), agent("x"), echo("p?", "m")],
      "user:p?(accepted) | agent:x",
    ],
    [
      "V2-UPD-14: goes where the agent puts it where prompts may wait",
      [running, sent("p"), agent("x"), echo("p?", "m"), agent("y")],
      "agent:xy | user:p?(accepted)",
    ],
    [
      "does not move past prompts that wait like it",
      [running, sent("p"), sent("q"), echo("p?", "m")],
      "user:p?(accepted) | user:q?(sent)",
    ],
    [
      "V2-UPD-14, V2-PRM-06: does not move behind a prompt that was sent later, if a notice came since",
      [running, sent("p"), sent("q"), notice, echo("p!", "m")],
      "notice | user:p!(accepted) | user:q?(sent)",
    ],
    [
      "V2-UPD-14, V2-PRM-06: nor if the notice came between the prompts",
      [running, sent("p"), notice, sent("q"), echo("p!", "m")],
      "notice | user:p!(accepted) | user:q?(sent)",
    ],
    [
      "V2-UPD-14, V2-PRM-06: nor if a tool call or a message came since",
      [running, sent("p"), tool, sent("q"), agent("x"), echo("p!", "m")],
      "tool_call | agent:x | user:p!(accepted) | user:q?(sent)",
    ],
    [
      "V2-UPD-14, V2-PRM-06: nor by an echo in several chunks without an id",
      [running, sent("p"), sent("q"), tool, echo("p"), echo("!"), sent("r")],
      "tool_call | user:p!(accepted) | user:q?(sent) | user:r?(sent)",
    ],
    [
      "V2-UPD-14, V2-PRM-06: of three each goes where the agent puts it, and the later ones wait behind it",
      [running, sent("p"), agent("x"), sent("q"), sent("r"), echo("1", "m"), tool, echo("2", "n"), notice],
      "agent:x | user:1(accepted) | tool_call | user:2(accepted) | user:r?(sent) | notice",
    ],
    [
      "V2-UPD-14: leaves an earlier prompt that waits where it is, if the agent echoes the later one by its name",
      [running, sent("p"), sent("q"), accepted("q", "n"), tool, message("n", "2")],
      "user:p?(sent) | tool_call | user:2(accepted)",
    ],
    [
      "V2-PRM-05: does not move behind a later one that was refused, which has no place of the agent's",
      [running, sent("p"), sent("q"), failed("q"), tool, echo("p!", "m")],
      "tool_call | user:p!(accepted) | user:q?(failed)",
    ],
    [
      "V2-PRM-02: does not move behind a later one that the agent has inserted by its name",
      [running, sent("p"), accepted("p", "m"), tool, sent("q"), accepted("q", "n"), agent("x"), message("m", "1")],
      "tool_call | user:1(accepted) | user:q?(accepted) | agent:x",
    ],
    ["a replay starts without it", [sent("p"), { type: "replay_started" }, echo("old")], "user:old"],
    [
      "V2-UPD-14: merges with a whole message of the agent's, by its name",
      [sent("p"), accepted("p", "m"), message("m", "p!"), echo("!", "m")],
      "user:p!!(accepted)",
    ],
    ["V2-UPD-14: also if that came first", [sent("p"), message("m", "p!"), accepted("p", "m")], "user:p!(accepted)"],
    [
      "V2-UPD-14: also if the agent said nothing of what it holds",
      [sent("p"), accepted("p", "m"), message("m")],
      "user:p?(accepted)",
    ],
    [
      "V2-UPD-14: each with its own, whatever the order of the answers",
      [
        running,
        sent("p"),
        sent("q"),
        accepted("q", "n"),
        message("n", "2"),
        agent("x"),
        message("m", "1"),
        accepted("p", "m"),
      ],
      "user:2(accepted) | agent:x | user:1(accepted)",
    ],
  ])("%s", (_, events, expected) => {
    expect(drawn(...events)).toBe(expected);
  });

  it("keeps its key when the agent names the message", () => {
    const state = reduceAll(createSessionState(), [sent("p"), echo("p?", "m")]);
    expect(state.timeline.at(0)).toMatchObject({ key: "prompt:p", messageId: "m" });
    expect(state.timeline.indexOf("user:m")).toBe(0);
    expect(state.internal.unechoed).toEqual([]);
  });

  it("drops its double when a message turns out to be its echo", () => {
    const events = [sent("p"), { type: "turn_ended", promptId: "p" } as const, echo("p?", "m"), accepted("p", "m")];
    expect(drawn(...events)).toBe("user:p?(accepted)");
  });

  it("says why it failed", () => {
    const error = { code: -32000, message: "log in" };
    const state = reduceAll(createSessionState(), [sent("p"), { type: "prompt_failed", promptId: "p", error }]);
    expect(state.timeline.at(0)).toMatchObject({ prompt: { status: "failed", error } });
    const over = reduce(state, { type: "turn_ended", promptId: "p", error });
    expect(over.timeline.at(0)).toBe(state.timeline.at(0));
  });
});

it("P-IDEM-14, P-IDEM-07, defect K3: a further attempt with the key of a prompt changes its status and adds no message", () => {
  const sent = {
    ...({ type: "prompt_sent", promptId: "p", idempotencyKey: "k" } as const),
    content: [{ type: "text", text: "a" } as const],
  };
  const error = { code: -32603, message: "no" };
  const first = reduce(createSessionState(), sent);
  expect(reduce(first, sent)).toBe(first);
  const failed = reduce(first, { type: "prompt_failed", promptId: "p", error });
  const again = reduce(failed, sent);
  expect([...again.timeline]).toMatchObject([{ prompt: { status: "sent", idempotencyKey: "k" } }]);
  expect(again.anomalies).toEqual([]);
  const other = reduce(failed, { ...sent, content: [{ type: "text", text: "b" }] });
  expect([...other.timeline].map((entry) => entry.type === "message" && messageText(entry))).toEqual(["b"]);
});
