import { describe, expect, it } from "vitest";
import { createSessionState } from "../create-session-state.js";
import type { SessionEvent } from "../event.js";
import { reduce, reduceAll } from "../reduce.js";
import { messageText } from "../select.js";
import type { SessionState } from "../state.js";

const agent = (text: string, messageId?: string): SessionEvent => ({
  type: "agent_message_chunk",
  content: { type: "text", text },
  messageId,
});
const thought = (text: string): SessionEvent => ({ type: "agent_thought_chunk", content: { type: "text", text } });
const user = (text: string, messageId?: string): SessionEvent => ({
  type: "user_message_chunk",
  content: { type: "text", text },
  messageId,
});
const tool = (toolCallId: string, status: "pending" | "completed" = "pending"): SessionEvent => ({
  type: "tool_call_update",
  toolCallId,
  title: "Run",
  status,
});
const plan = (content: string): SessionEvent => ({
  type: "plan_update",
  plan: { planId: "main", type: "items", entries: [{ content, priority: "high", status: "pending" }] },
});

/** The timeline in one line: who said what, and what stands between. */
const drawn = (state: SessionState): string =>
  [...state.timeline]
    .map((entry) => (entry.type === "message" ? `${entry.role}:${messageText(entry)}` : entry.type))
    .join(" | ");

describe("where a message without an id begins and ends", () => {
  const info: SessionEvent = { type: "session_info_update", title: "T" };
  const table: readonly (readonly [string, readonly SessionEvent[], string])[] = [
    ["V1-UPD-07: adjacent chunks of a role are one message", [agent("a"), agent("b")], "agent:ab"],
    ["V1-UPD-07: another role begins one", [agent("a"), thought("b"), agent("c")], "agent:a | thought:b | agent:c"],
    [
      "V1-UPD-07: a tool call in between begins one",
      [agent("a"), tool("t"), agent("b")],
      "agent:a | tool_call | agent:b",
    ],
    [
      "V1-UPD-07: an update of a known tool call does not",
      [tool("t"), agent("a"), tool("t", "completed"), agent("b")],
      "tool_call | agent:ab",
    ],
    [
      "V1-UPD-07: another entry in between begins one",
      [agent("a"), { type: "notice", severity: "info", title: "N" }, agent("b")],
      "agent:a | notice | agent:b",
    ],
    [
      "4.3: a plan that appears begins one, a plan that changes does not",
      [agent("a"), plan("x"), agent("b"), plan("y"), agent("c")],
      "agent:a | agent:bc",
    ],
    ["what is no entry does not begin one", [agent("a"), info, agent("b")], "agent:ab"],
    [
      "V1-UPD-08: the end of a turn ends it",
      [agent("a"), { type: "turn_ended", stopReason: "end_turn" }, agent("b")],
      "agent:a | agent:b",
    ],
    [
      "V1-UPD-08: so does the start of one",
      [agent("a"), { type: "turn_started", promptId: "p" }, agent("b")],
      "agent:a | agent:b",
    ],
    [
      "V1-UPD-08: so does a prompt",
      [agent("a"), { type: "prompt_sent", promptId: "p", content: [{ type: "text", text: "q" }] }, agent("b")],
      "agent:a | user:q | agent:b",
    ],
    [
      "V1-UPD-07: a chunk without id never joins an identified message",
      [agent("a", "m"), agent("b")],
      "agent:a | agent:b",
    ],
    ["V1-UPD-05: the same id is the same message", [agent("a", "m"), agent("b", "m")], "agent:ab"],
    ["V1-UPD-05: another id is another message", [agent("a", "m"), agent("b", "n")], "agent:a | agent:b"],
    [
      "V1-UPD-06: a chunk finds its earlier message",
      [agent("a", "m"), tool("t"), agent("b", "m")],
      "agent:ab | tool_call",
    ],
    ["V1-UPD-06: ids belong to a role", [agent("a", "m"), user("b", "m"), agent("c", "m")], "agent:ac | user:b"],
    [
      "V1-UPD-07: a chunk for an earlier message does not end the open one",
      [agent("a", "m"), agent("b"), agent("c", "m"), agent("d")],
      "agent:ac | agent:bd",
    ],
    [
      "an id that looks like a turnkit key is no key",
      [agent("a"), agent("b", "#1"), agent("c")],
      "agent:a | agent:b | agent:c",
    ],
    ["the replay begins from nothing", [agent("a"), { type: "replay_started" }, agent("b")], "agent:b"],
    [
      "and its last message is complete",
      [{ type: "replay_started" }, agent("a"), { type: "replay_ended" }, agent("b")],
      "agent:a | agent:b",
    ],
  ];
  it.each(table)("%s", (_, events, expected) => {
    expect(drawn(reduceAll(createSessionState(), events))).toBe(expected);
  });
});

describe("a message", () => {
  it("V2-UPD-12: keeps its blocks as they came", () => {
    const image = { type: "image", data: "AA==", mimeType: "image/png" } as const;
    const state = reduceAll(createSessionState(), [
      agent("a"),
      { type: "agent_message_chunk", content: image },
      agent("b"),
    ]);
    expect(state.timeline.at(0)).toMatchObject({ key: "message:#1" });
    expect(state.timeline.length).toBe(1);
    expect(JSON.parse(JSON.stringify(state.timeline.at(0))).content).toEqual([
      { type: "text", text: "a" },
      image,
      { type: "text", text: "b" },
    ]);
  });

  it("V2-UPD-10: is replaced, extended and cleared as a whole", () => {
    const whole = (content: readonly string[] | null | undefined): SessionEvent => ({
      type: "agent_message",
      messageId: "m",
      content: content?.map((text) => ({ type: "text", text })) ?? (content as null | undefined),
    });
    let state = createSessionState();
    const after = (event: SessionEvent): string => {
      state = reduce(state, event);
      return drawn(state);
    };
    expect(after(whole(["A"]))).toBe("agent:A");
    expect(after(agent("B", "m"))).toBe("agent:AB");
    expect(after(whole(undefined))).toBe("agent:AB");
    expect(after(whole(["C"]))).toBe("agent:C");
    expect(after(agent("D", "m"))).toBe("agent:CD");
    expect(after(whole(null))).toBe("agent:");
  });

  it("keeps everything else in the state as it was when it grows", () => {
    const before = reduceAll(createSessionState(), [plan("x"), tool("t"), agent("a"), tool("u"), agent("b")]);
    const after = reduce(before, agent("c"));
    expect(after.timeline.at(0)).toBe(before.timeline.at(0));
    expect(after.timeline.at(1)).toBe(before.timeline.at(1));
    expect([after.plans, after.terminals, after.activity, after.internal]).toEqual([
      before.plans,
      before.terminals,
      before.activity,
      before.internal,
    ]);
    expect(after.plans).toBe(before.plans);
    expect(after.internal).toBe(before.internal);
    expect(drawn(before)).toBe("tool_call | agent:a | tool_call | agent:b");
  });

  it("that cannot be read stays in sight", () => {
    const state = reduce(createSessionState(), { type: "agent_message_chunk", content: { text: "x" } } as never);
    expect(state.timeline.at(0)).toMatchObject({ type: "unknown", raw: { content: { text: "x" } } });
  });
});
