import { createSessionState, reduce, type SessionEvent, type SessionState } from "@turnkit/session";
import fc from "fast-check";
import { expect, it } from "vitest";
import { LateFold } from "./late-fold.js";

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
  fc.record({ type: fc.constant("turn_started"), promptId: id }),
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
/** What is told, and what is looked at before the next is told. */
const looks = fc.subarray(["before", "after", "again"] as const, { minLength: 0 });
const told = fc.array(fc.tuple(event, fc.oneof({ weight: 4, arbitrary: fc.constant([]) }, looks)), {
  maxLength: 60,
  size: "max",
});
const limits = fc.option(fc.record({ stateBytes: fc.integer({ min: 0, max: 30_000 }) }), { nil: {} });

const plain = (state: SessionState): unknown => JSON.parse(JSON.stringify(state));

it("whoever looks sees what folding each event at once gives, and what was seen stays", () => {
  fc.assert(
    fc.property(told, limits, (steps, bounds) => {
      const late = new LateFold(bounds);
      const seen: (readonly [now: SessionState, then: unknown])[] = [];
      let eager = createSessionState(bounds);
      for (const [given, looked] of steps) {
        const before = eager;
        eager = reduce(before, given as SessionEvent);
        const around = late.add(given as SessionEvent);
        for (const what of looked) {
          const state = what === "again" ? late.after : around[what];
          expect(plain(state)).toEqual(plain(what === "before" ? before : eager));
          seen.push([state, plain(state)]);
        }
      }
      expect(plain(late.after)).toEqual(plain(eager));
      expect(late.after).toBe(late.after);
      for (const [state, then] of seen) expect(plain(state)).toEqual(then);
    }),
    { numRuns: 1_000 },
  );
});

it.each([
  { what: "many short pieces", pieces: 1_000, length: 1 },
  { what: "few long ones", pieces: 2, length: 40_000 },
  { what: "what fills a small state", pieces: 40, length: 100, stateBytes: 16_384 },
])("lets no more wait than 64 Ki characters or so: $what", ({ pieces, length, ...limits }) => {
  const bytesWith = (later: number): number => {
    const late = new LateFold(limits);
    const contents = Array.from({ length: pieces }, () => ({ type: "text" as const, text: "x".repeat(length) }));
    for (const content of contents) late.add({ type: "agent_message_chunk", messageId: "m", content });
    // What was folded was weighed, and is not weighed again.
    for (const content of contents.slice(0, pieces / 2)) content.text = "x".repeat(later);
    return late.after.bytes;
  };
  expect(bytesWith(length + 1_000)).toBe(bytesWith(length));
});
