import { describe, expect, it } from "vitest";
import { createSessionState } from "../create-session-state.js";
import type { SessionEvent } from "../event.js";
import { reduceAll } from "../reduce.js";

const asked = (requestId: string, title = "Allow?"): SessionEvent => ({
  type: "permission_asked",
  requestId,
  title,
  subject: { type: "tool_call", toolCall: { toolCallId: "t", title: "Edit", status: "pending" } },
  options: [{ optionId: "y", name: "Yes", kind: "allow_once" }],
});
const outcome = { outcome: "cancelled" } as const;

describe("a permission question", () => {
  it("V1-PERM-06: introduces the tool call that it is about", () => {
    const state = reduceAll(createSessionState(), [asked("1")]);
    expect(state.timeline.get("tool_call:t")).toMatchObject({ title: "Edit", status: "pending" });
    expect(state.pendingPermissions).toMatchObject([{ requestId: "1", title: "Allow?" }]);
  });

  it("V2-PERM-02: does not change how its tool call is called", () => {
    const known: SessionEvent = { type: "tool_call_update", toolCallId: "t", title: "Old" };
    const question = { ...asked("1", "Really?"), subject: { type: "tool_call", toolCall: { toolCallId: "t" } } };
    const state = reduceAll(createSessionState(), [known, question as SessionEvent]);
    expect(state.timeline.get("tool_call:t")).toMatchObject({ title: "Old" });
  });

  it("V2-PERM-14: waits until it is answered, asked twice it waits once", () => {
    const answered = (requestId: string): SessionEvent => ({ type: "permission_answered", requestId, outcome });
    const state = reduceAll(createSessionState(), [asked("1"), asked("2"), asked("2"), answered("1"), answered("9")]);
    expect(state.pendingPermissions.map(({ requestId }) => requestId)).toEqual(["2"]);
  });

  it("keeps its title and options when it is too large to keep whole", () => {
    const state = reduceAll(createSessionState({ stateBytes: 10_000 }), [
      { ...asked("1"), description: "x".repeat(3000) } as SessionEvent,
    ]);
    expect(state.pendingPermissions).toMatchObject([{ title: "Allow?", options: [{ optionId: "y" }] }]);
    expect(state.pendingPermissions[0]?.description).toBeUndefined();
    expect(state.anomalies).toHaveLength(1);
  });

  it("is bounded in number", () => {
    const state = reduceAll(
      createSessionState(),
      Array.from({ length: 500 }, (_, index) => asked(`${index}`)),
    );
    expect(state.pendingPermissions).toHaveLength(256);
  });
});
