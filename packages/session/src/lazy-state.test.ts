import fc from "fast-check";
import { expect, it } from "vitest";
import { createSessionState } from "./create-session-state.js";
import type { SessionEvent } from "./event.js";
import { createLazyState } from "./lazy-state.js";
import { reduce } from "./reduce.js";
import type { SessionState } from "./state.js";

const id = fc.constantFrom("a", "b");
const block = fc.oneof(
  { weight: 6, arbitrary: fc.string({ maxLength: 12 }).map((text) => ({ type: "text", text }) as const) },
  fc.constant({ type: "image", data: "AA==", mimeType: "image/png" } as const),
  fc.constant({ type: "text" }),
  fc.constant(undefined),
);
const piece = fc.record(
  {
    type: fc.constantFrom("agent_message_chunk", "agent_thought_chunk", "user_message_chunk"),
    messageId: id,
    content: block,
    _meta: fc.constant({ x: 1 }),
  },
  { requiredKeys: ["type", "content"] },
);
const turn = fc.oneof(
  fc.record({ type: fc.constantFrom("turn_started", "prompt_accepted"), promptId: id }),
  fc.record({ type: fc.constant("prompt_sent"), promptId: id, content: fc.array(block, { maxLength: 2 }) }),
  fc.record(
    { type: fc.constant("state_update"), state: fc.constantFrom("running", "idle"), background: fc.constant([]) },
    { requiredKeys: ["type", "state"] },
  ),
  fc.record({
    type: fc.constant("user_message"),
    messageId: id,
    content: fc.option(fc.array(block, { maxLength: 2 })),
  }),
  fc.record(
    {
      type: fc.constant("turn_ended"),
      promptId: id,
      stopReason: fc.constant("end_turn"),
      error: fc.constant({ code: -32603, message: "It broke." }),
    },
    { requiredKeys: ["type", "promptId"] },
  ),
);
const other = fc.oneof(
  fc.record({ type: fc.constant("tool_call_update"), toolCallId: id, title: id }),
  fc.record({ type: fc.constant("agent_message"), messageId: id, content: fc.constant([{ type: "text", text: "x" }]) }),
  fc.record({ type: fc.constantFrom("notice", "hologram"), title: id }),
);
const event = fc.oneof(
  { weight: 8, arbitrary: piece },
  { weight: 1, arbitrary: turn },
  { weight: 1, arbitrary: other },
);
/** Events, and the states that are read before the next event. */
const looks = fc.subarray(["before", "after", "again"] as const, { minLength: 0 });
const received = fc.array(fc.tuple(event, fc.oneof({ weight: 4, arbitrary: fc.constant([]) }, looks)), {
  maxLength: 60,
  size: "max",
});
const limits = fc.option(fc.record({ stateBytes: fc.integer({ min: 0, max: 30_000 }) }), { nil: {} });

/** Equal texts are equal values, and comparing them takes a tenth of the time. */
function expectSame(now: string, expected: string): void {
  if (now !== expected) expect(JSON.parse(now)).toEqual(JSON.parse(expected));
}

it("whoever looks sees what folding each event at once gives, and what was seen stays", () => {
  fc.assert(
    fc.property(received, limits, (steps, bounds) => {
      const late = createLazyState(createSessionState(bounds));
      const seen: (readonly [now: SessionState, then: string])[] = [];
      let eager = createSessionState(bounds);
      for (const [given, looked] of steps) {
        const before = eager;
        eager = reduce(before, given as SessionEvent);
        const around = late.add(given as SessionEvent);
        for (const what of looked) {
          const state = what === "again" ? late.after : around[what];
          const text = JSON.stringify(state);
          expectSame(text, JSON.stringify(what === "before" ? before : eager));
          seen.push([state, text]);
        }
      }
      expectSame(JSON.stringify(late.after), JSON.stringify(eager));
      expect(late.after).toBe(late.after);
      for (const [state, then] of seen) expectSame(JSON.stringify(state), then);
    }),
    { numRuns: 1_000 },
  );
}, 30_000);

/** Returns true if the first piece of so many was reduced without a read: to reduce it is to read it again. */
function isFolded(pieces: number, length: number, stateBytes?: number): boolean {
  const late = createLazyState(createSessionState(stateBytes === undefined ? {} : { stateBytes }));
  let looks = 0;
  const add = (messageId: number, content: object): void =>
    void late.add({ type: "agent_message_chunk", messageId: `m${messageId}`, content } as SessionEvent);
  const text = "x".repeat(length);
  add(0, {
    type: "text",
    get text() {
      looks += 1;
      return text;
    },
  });
  add(1, { type: "text", text });
  const atFirst = looks;
  for (let messageId = 2; messageId < pieces; messageId++) add(messageId, { type: "text", text });
  return looks > atFirst;
}

it.each([
  { what: "short pieces", few: 100, many: 500, length: 10 },
  { what: "long ones", few: 3, many: 6, length: 15_000 },
  { what: "what would fill a small state", few: 8, many: 40, length: 100, stateBytes: 32_768 },
])("lets no more wait than 64 KiB, or a share of a small state: $what", ({ few, many, length, stateBytes }) => {
  expect([isFolded(few, length, stateBytes), isFolded(many, length, stateBytes)]).toEqual([false, true]);
});

it("folds what begins and ends turns with the tenth of them", () => {
  const late = createLazyState(createSessionState());
  let looks = 0;
  const ids = Array.from({ length: 9 }, (_, index) => `p${index}`);
  late.add({
    type: "turn_ended",
    get promptId() {
      looks += 1;
      return "p";
    },
  } as SessionEvent);
  for (const promptId of ids.slice(0, 8)) late.add({ type: "turn_started", promptId });
  const atFirst = looks;
  for (const promptId of ids.slice(8)) late.add({ type: "turn_started", promptId });
  expect([atFirst, looks > atFirst]).toEqual([0, true]);
});
