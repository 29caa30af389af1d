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
