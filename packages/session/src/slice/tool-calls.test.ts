import { describe, expect, it } from "vitest";
import { createSessionState } from "../create-session-state.js";
import type { ToolCallEntry } from "../entry.js";
import type { SessionEvent } from "../event.js";
import { reduce, reduceAll } from "../reduce.js";
import type { ToolCallContent, ToolCallPatch } from "../tool-call.js";

const update = (patch: ToolCallPatch): SessionEvent => ({ type: "tool_call_update", ...patch });
const said = (text: string): ToolCallContent => ({ type: "content", content: { type: "text", text } });
const call = (...events: readonly SessionEvent[]): ToolCallEntry =>
  reduceAll(createSessionState(), events).timeline.get("tool_call:t") as ToolCallEntry;

describe("a tool call", () => {
  it("V1-UPD-17: is made by the first update for its id, with defaults", () => {
    expect(call(update({ toolCallId: "t" }))).toMatchObject({ kind: "other", status: "pending", locations: [] });
    expect(call(update({ toolCallId: "t" })).title).toBeUndefined();
  });

  it("V1-UPD-11: stays where it was first seen", () => {
    const text = { type: "agent_message_chunk", content: { type: "text", text: "x" } } as const;
    const state = reduceAll(createSessionState(), [
      update({ toolCallId: "t" }),
      text,
      update({ toolCallId: "t", title: "T" }),
    ]);
    expect(state.timeline.indexOf("tool_call:t")).toBe(0);
  });

  it("V2-TOOL-02: keeps what is left out, resets what is null", () => {
    const full = update({
      toolCallId: "t",
      title: "T",
      name: "n",
      kind: "edit",
      status: "in_progress",
      content: [said("a")],
      locations: [{ path: "/a", line: 1 }],
      rawInput: { a: 1 },
      _meta: { x: 1 },
    });
    expect(call(full, update({ toolCallId: "t", status: "completed" }))).toMatchObject({
      title: "T",
      kind: "edit",
      status: "completed",
      rawInput: { a: 1 },
    });
    const reset = call(
      full,
      update({
        toolCallId: "t",
        title: null,
        kind: null,
        status: null,
        content: null,
        locations: null,
        rawInput: null,
        _meta: null,
      }),
    );
    expect(reset).toMatchObject({ kind: "other", status: "pending", locations: [], name: "n" });
    expect([reset.title, reset.rawInput, reset._meta, reset.content.length]).toEqual([
      undefined,
      undefined,
      undefined,
      0,
    ]);
  });

  it("V1-UPD-15: replaces content whole, V2-TOOL-06: and appends chunks to it", () => {
    const chunk = (text: string): SessionEvent => ({
      type: "tool_call_content_chunk",
      toolCallId: "t",
      content: said(text),
    });
    const entry = call(chunk("a"), chunk("b"), update({ toolCallId: "t", content: [said("c")] }), chunk("d"));
    expect(entry.content.toArray()).toEqual([said("c"), said("d")]);
  });

  it("keeps the identity of items that say the same when content comes whole again", () => {
    const before = reduce(createSessionState(), update({ toolCallId: "t", content: [said("a"), said("b")] }));
    const after = reduce(before, update({ toolCallId: "t", content: [said("a"), said("c")] }));
    const items = (state: typeof before) => (state.timeline.at(0) as ToolCallEntry).content;
    expect(items(after).at(0)).toBe(items(before).at(0));
    expect(reduce(after, update({ toolCallId: "t", content: [said("a"), said("c")] }))).toBe(after);
  });

  it("V1-CANCEL-02: unfinished ones are cancelled at once, V1-UPD-18: and a later real status replaces that", () => {
    const cancelled = [update({ toolCallId: "t", status: "in_progress" }), { type: "cancel_asked" } as const];
    expect(call(...cancelled)).toMatchObject({ status: "cancelled", cancelledLocally: { reported: "in_progress" } });
    expect(call(...cancelled, update({ toolCallId: "t", title: "T" }))).toMatchObject({ status: "cancelled" });
    const real = call(...cancelled, update({ toolCallId: "t", status: "completed" }));
    expect([real.status, real.cancelledLocally]).toEqual(["completed", undefined]);
  });

  it("V1-CANCEL-02: finished ones and work in the background are left alone", () => {
    const background = [{ type: "tool_call", toolCallId: "b" }] as const;
    const state = reduceAll(createSessionState(), [
      update({ toolCallId: "t", status: "failed" }),
      update({ toolCallId: "b", status: "in_progress" }),
      { type: "state_update", state: "running", background },
    ]);
    expect(reduce(state, { type: "cancel_asked" }).timeline).toBe(state.timeline);
  });

  it("V1-UPD-18: unfinished ones are cancelled by a turn that ends so, also if this side asked for no cancel", () => {
    const turn = (stopReason: "cancelled" | "end_turn"): ToolCallEntry =>
      call({ type: "turn_started", promptId: "p" }, update({ toolCallId: "t", status: "in_progress" }), {
        type: "turn_ended",
        promptId: "p",
        stopReason,
      });
    expect(turn("cancelled")).toMatchObject({ status: "cancelled", cancelledLocally: { reported: "in_progress" } });
    expect(turn("end_turn").status).toBe("in_progress");
    const late = update({ toolCallId: "t", status: "completed" });
    const ended: SessionEvent = { type: "turn_ended", stopReason: "cancelled" };
    expect(call(update({ toolCallId: "t" }), ended, late).status).toBe("completed");
  });

  it("V2-CAN-05, V2-CAN-06: at the end of the work counts what the agent last said", () => {
    const state = reduceAll(createSessionState(), [
      update({ toolCallId: "t", status: "in_progress" }),
      update({ toolCallId: "u", status: "in_progress" }),
      { type: "state_update", state: "running" },
      { type: "cancel_asked" },
      update({ toolCallId: "u", status: "failed" }),
    ]);
    const statuses = (of: typeof state) => of.timeline.toArray().map((entry) => "status" in entry && entry.status);
    expect(statuses(state)).toEqual(["cancelled", "failed"]);
    const idle = reduce(state, { type: "state_update", state: "idle", stopReason: "cancelled" });
    expect(statuses(idle)).toEqual(["in_progress", "failed"]);
    expect((idle.timeline.at(0) as ToolCallEntry).cancelledLocally).toBeUndefined();
  });

  it("V2-TOOL-09: a finished call that goes on is applied and noted", () => {
    const events = [
      update({ toolCallId: "t", status: "completed" }),
      update({ toolCallId: "t", status: "in_progress" }),
    ];
    expect(reduceAll(createSessionState(), events).anomalies).toEqual([
      { what: "a finished tool call was reopened", about: "t" },
    ]);
  });
});
