import { describe, expect, it } from "vitest";
import { createSessionState } from "../create-session-state.js";
import type { SessionEvent } from "../event.js";
import { reduceAll } from "../reduce.js";

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
