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

const form: SessionEvent = {
  type: "elicitation_asked",
  requestId: "f",
  toolCallId: "t",
  mode: "form",
  message: "Who?",
  requestedSchema: { type: "object", properties: { name: { type: "string" } } },
};
const url = (requestId: string): SessionEvent => ({
  type: "elicitation_asked",
  requestId,
  mode: "url",
  message: "Log in",
  elicitationId: `e${requestId}`,
  url: "https://a",
});
const answered = (requestId: string, action: "accept" | "decline"): SessionEvent => ({
  type: "elicitation_answered",
  requestId,
  answer: { action },
});
const completed = (elicitationId: string): SessionEvent => ({ type: "elicitation_completed", elicitationId });

const pending = (...events: readonly SessionEvent[]): readonly string[] =>
  reduceAll(createSessionState(), events).pendingElicitations.map(({ requestId, status }) => `${requestId}:${status}`);

describe("something that the agent asks of the person", () => {
  const table: readonly (readonly [string, readonly SessionEvent[], readonly string[]])[] = [
    ["waits until it is answered", [form, url("1")], ["f:asked", "1:asked"]],
    ["V2-ELI-05: goes with any answer to a form", [form, answered("f", "accept")], []],
    ["V2-ELI-08: a URL that was accepted is not done yet", [url("1"), answered("1", "accept")], ["1:accepted"]],
    ["V2-ELI-09: and goes when it is", [url("1"), answered("1", "accept"), completed("e1")], []],
    ["V2-ELI-05: goes when it is declined", [url("1"), answered("1", "decline")], []],
    [
      "V2-ELI-09: ignores ids that nobody asked about",
      [url("1"), completed("e9"), answered("9", "accept")],
      ["1:asked"],
    ],
    ["done before it is answered, it still waits for the answer", [url("1"), completed("e1")], ["1:completed"]],
    ["and goes with it", [url("1"), completed("e1"), answered("1", "accept")], []],
    ["asked twice it waits once", [url("1"), url("1")], ["1:asked"]],
    ["ends with the session", [form, { type: "session_closed" }], []],
  ];
  it.each(table)("%s", (_, events, expected) => {
    expect(pending(...events)).toEqual(expected);
  });

  it("holds what it asks", () => {
    const [question] = reduceAll(createSessionState(), [form]).pendingElicitations;
    expect(question).toMatchObject({ mode: "form", toolCallId: "t", requestedSchema: { properties: { name: {} } } });
  });

  it("is bounded in number, and what is only watched goes first", () => {
    const many = Array.from({ length: 300 }, (_, index) => url(`${index}`));
    expect(pending(...many)).toHaveLength(256);
    const watched = [url("w"), answered("w", "accept"), ...many];
    expect(pending(...watched)).not.toContain("w:accepted");
    expect(pending(...watched)).toHaveLength(256);
  });

  it("is bounded in size", () => {
    const large = { ...form, message: "x".repeat(4000) } as SessionEvent;
    const state = reduceAll(createSessionState({ stateBytes: 20_000 }), [large]);
    expect([state.pendingElicitations.length, state.anomalies.length]).toEqual([0, 1]);
  });
});
