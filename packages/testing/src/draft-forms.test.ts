import { describe, expect, it } from "vitest";
import { type DraftForm, draftForms } from "./draft-forms.js";
import type { Frame } from "./frame.js";
import { EntryMaker, type Side } from "./transcript-entry.js";

type Said = readonly [by: Side, frame: Frame];

const entriesOf = (said: readonly Said[]) => {
  const maker = new EntryMaker();
  return said.map(([by, frame]) => maker.entry(by, { jsonrpc: "2.0", ...frame }));
};
const found = (said: readonly Said[], claimsPreview = false) => draftForms(entriesOf(said), { claimsPreview });
const update = (sessionId: string, members: object): Said => [
  "agent",
  { method: "session/update", params: { sessionId, update: members } },
];
const resume: Said = [
  "client",
  { id: 1, method: "session/resume", params: { sessionId: "s", cwd: "/", replayFrom: { type: "start" } } },
];
const answer = (id: unknown, result: unknown = {}): Said => ["agent", { id, result }];
const prompt = (id: number, sessionId = "s", idempotencyKey: unknown = "k"): Said => [
  "client",
  { id, method: "session/prompt", params: { sessionId, prompt: [], idempotencyKey } },
];
const mirror = update("s", { sessionUpdate: "subagent_update", sessionId: "kid", state: { state: "running" } });

/** A conversation for each form, with the form at its end. */
const conversations: Readonly<Record<DraftForm["form"], readonly Said[]>> = {
  "replay-without-marker": [resume, update("other", { sessionUpdate: "replay_complete" }), answer(1)],
  "key-ignored": [prompt(1), prompt(2), answer(1, { messageId: "m" }), answer(2, { messageId: "n" })],
  "file-plan": [update("s", { sessionUpdate: "plan_update", plan: { type: "file", planId: "p", uri: "file:///p" } })],
  "state-of-parent-only": [mirror],
  "null-params": [["client", { id: 1, method: "session/list", params: null }]],
  "two-scopes": [["agent", { id: 1, method: "elicitation/create", params: { sessionId: "s", requestId: 2 } }]],
};
const errors = ["replay-without-marker", "key-ignored"];

describe("forms of older drafts", () => {
  it.each(Object.entries(conversations))("P-CONF-04: %s is a form of an older draft", (form, said) => {
    const entry = entriesOf(said).at(-1);
    expect(found(said)).toEqual([
      { form, verdict: "older draft", by: entry?.by, requirement: expect.any(String), what: expect.any(String), entry },
    ]);
    expect(found(said, true)).toMatchObject([{ form, verdict: errors.includes(form) ? "error" : "older draft" }]);
  });

  it("P-CONF-04: the Preview has none of them", () => {
    const said: readonly Said[] = [
      resume,
      update("s", { sessionUpdate: "replay_complete" }),
      answer(1),
      ["client", { id: 2, method: "session/resume", params: { sessionId: "s", replayFrom: null } }],
      answer(2),
      [...resume.slice(0, 1), { ...resume[1], id: 3 }] as unknown as Said,
      ["agent", { id: 3, error: { code: -32603, message: "no" } }],
      ...[prompt(4), answer(4, { messageId: "m" }), prompt(5), answer(5, { messageId: "m" })],
      ...[prompt(6, "t"), answer(6, { messageId: "n" }), prompt(7, "s", null), answer(7, { messageId: "o" })],
      update("s", { sessionUpdate: "plan_update", plan: { type: "items", planId: "p", entries: [] } }),
      mirror,
      update("kid", { sessionUpdate: "state_update", state: "running" }),
      ["client", { id: 8, method: "session/list" }],
      ["agent", { id: 1, method: "elicitation/create", params: { sessionId: "s", requestId: null } }],
    ];
    expect(found(said, true)).toEqual([]);
  });

  it("accepts frames of every form", () => {
    const odd = [5, "x", [], { update: 5 }, { update: { sessionUpdate: "plan_update", plan: 5 } }];
    const said = odd.flatMap((params): Said[] => [
      ["agent", { method: "session/update", params } as Frame],
      ["client", { id: [], method: "session/prompt", params } as Frame],
      ["agent", { id: [], result: null }],
    ]);
    expect(draftForms([...entriesOf(said), new EntryMaker().invalidLine("agent", "noise")])).toEqual([]);
  });
});
