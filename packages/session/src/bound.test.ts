import { describe, expect, it } from "vitest";
import { createSessionState } from "./create-session-state.js";
import type { MessageEntry, ToolCallEntry, TrimmedEntry } from "./entry.js";
import type { SessionEvent } from "./event.js";
import { reduce, reduceAll } from "./reduce.js";
import { messageText } from "./select.js";
import type { SessionState } from "./state.js";

const text = (length: number) => ({ type: "text", text: "x".repeat(length) }) as const;
const chunk = (length: number, messageId?: string): SessionEvent => ({
  type: "agent_message_chunk",
  messageId,
  content: text(length),
});
const tool = (toolCallId: string, status: "pending" | "completed"): SessionEvent => ({
  type: "tool_call_update",
  toolCallId,
  title: "T",
  status,
});
const LIMIT = 20_000;
const fold = (events: Iterable<SessionEvent>): SessionState =>
  reduceAll(createSessionState({ stateBytes: LIMIT }), events);
const head = (state: SessionState): TrimmedEntry => state.timeline.at(0) as TrimmedEntry;

function* repeat(count: number, make: (index: number) => SessionEvent): Generator<SessionEvent> {
  for (let index = 0; index < count; index++) yield make(index);
}

describe("a state that has no more room", () => {
  it("drops the oldest finished entries and counts them", () => {
    const state = fold(repeat(300, (index) => (index % 3 ? chunk(100, `m${index}`) : tool(`t${index}`, "completed"))));
    expect(state.bytes).toBeLessThanOrEqual(LIMIT);
    const { messages, toolCalls, others, bytes } = head(state);
    expect(messages + toolCalls + state.timeline.length - 1).toBe(300);
    expect([head(state).type, head(state).key, others, bytes > LIMIT]).toEqual(["trimmed", "trimmed", 0, true]);
    expect(state.timeline.at(-1)).toMatchObject({ messageId: "m299" });
    expect(state.timeline.indexOf("agent:m299")).toBe(state.timeline.length - 1);
  });

  it("keeps unfinished tool calls while anything else can go", () => {
    const state = fold([tool("open", "pending"), ...repeat(300, (index) => chunk(100, `m${index}`))]);
    expect(state.timeline.at(1)).toMatchObject({ toolCallId: "open", status: "pending" });
  });

  it("drops the front of one message that is larger than the room, and stays linear in doing so", () => {
    const grow = (count: number): { state: SessionState; took: number } => {
      const start = process.cpuUsage().user / 1000;
      const state = fold(repeat(count, () => chunk(60)));
      return { state, took: process.cpuUsage().user / 1000 - start };
    };
    grow(20_000);
    const once = Math.min(grow(20_000).took, grow(20_000).took, grow(20_000).took);
    const { state, took } = grow(200_000);
    const entry = state.timeline.at(-1) as MessageEntry;
    expect((entry.dropped?.items ?? 0) + entry.content.length).toBe(200_000);
    expect(messageText(entry).length).toBe(entry.content.length * 60);
    expect(state.bytes).toBeGreaterThan(LIMIT / 3);
    expect(took).toBeLessThan(once * 40);
  });

  it("drops the front of one tool output that is larger than the room", () => {
    const output = (): SessionEvent => ({
      type: "tool_call_content_chunk",
      toolCallId: "t",
      content: { type: "content", content: text(400) },
    });
    const state = fold([tool("t", "pending"), ...repeat(1000, output)]);
    const entry = state.timeline.get("tool_call:t") as ToolCallEntry;
    expect((entry.dropped?.items ?? 0) + entry.content.length).toBe(1000);
    expect(entry.dropped?.bytes).toBeGreaterThan(900 * 400);
  });

  it("drops raw values that alone are too large", () => {
    const state = fold([{ type: "tool_call_update", toolCallId: "t", title: "T", rawOutput: "x".repeat(LIMIT) }]);
    expect(state.timeline.get("tool_call:t")).toMatchObject({ title: "T", dropped: { items: 1 } });
  });

  it("drops notices rather than the conversation of before", () => {
    const notice = (index: number): SessionEvent => ({ type: "notice", severity: "info", title: `n${index}` });
    const state = reduceAll(createSessionState({ stateBytes: 100_000 }), [chunk(100, "m"), ...repeat(2000, notice)]);
    const notices = [...state.timeline].filter((entry) => entry.type === "notice");
    expect(notices.length).toBeGreaterThanOrEqual(100);
    expect(notices.at(-1)).toMatchObject({ title: "n1999" });
    expect(state.timeline.has("agent:m")).toBe(true);
    expect(state.bytes).toBeLessThanOrEqual(100_000);
  });

  it("leaves older states as they were", () => {
    const before = fold(repeat(30, (index) => chunk(100, `m${index}`)));
    const length = before.timeline.length;
    let after = before;
    for (const event of repeat(300, (index) => chunk(100, `n${index}`))) after = reduce(after, event);
    expect(before.timeline.length).toBe(length);
    expect(before.timeline.get("agent:m0")).toMatchObject({ messageId: "m0" });
    expect(after.timeline.has("agent:m0")).toBe(false);
  });
});
