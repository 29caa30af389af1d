import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createSessionState } from "./create-session-state.js";
import type { CompactionEntry, MessageEntry, ToolCallEntry } from "./entry.js";
import type { SessionEvent } from "./event.js";
import { reduce, reduceAll } from "./reduce.js";
import { messageText } from "./select.js";
import { createSnapshot, readSnapshot } from "./snapshot.js";
import type { SessionState, StateLimits } from "./state.js";

const MIB = 1_048_576;
const text = (said: string) => ({ type: "text", text: said }) as const;
const image = { type: "image", data: "x".repeat(200_000), mimeType: "image/png" } as const;
const chunk = (content: ReturnType<typeof text> | typeof image, messageId = "m"): SessionEvent => ({
  type: "agent_message_chunk",
  messageId,
  content,
});
/** So many pieces, each with its number and as long as is said. */
const pieces = (count: number, length: number): SessionEvent[] =>
  Array.from({ length: count }, (_, index) => chunk(text(String(index).padEnd(length, "."))));
const fold = (events: Iterable<SessionEvent>, limits?: Partial<StateLimits>): SessionState =>
  reduceAll(createSessionState(limits), events);

describe("an entry that is told in pieces without end", () => {
  it.each([4, 60, 3000, 10_000])(
    "keeps a MiB of its newest text and counts what went, in pieces of %i letters",
    (length) => {
      const count = Math.ceil((3 * MIB) / length);
      const state = fold([chunk(text("Before."), "first"), ...pieces(count, length)]);
      const { content, dropped } = state.timeline.get("agent:m") as MessageEntry;
      expect((dropped?.items ?? 0) + content.length).toBe(count);
      expect(content.at(-1)).toEqual(text(String(count - 1).padEnd(length, ".")));
      expect(content.at(0)).toEqual(text(String(dropped?.items).padEnd(length, ".")));
      // The pages of text are within it or only one, and behind them there are 64 pieces at most.
      expect(state.bytes).toBeLessThan(MIB + 2 * 64 * (2 * length + 80) + 2000);
      expect(state.bytes).toBeGreaterThan(MIB / 2);
      expect(messageText(state.timeline.get("agent:first") as MessageEntry)).toBe("Before.");
    },
  );

  it("never keeps less than 64 pieces, however long they are", () => {
    let state = createSessionState();
    for (const [index, event] of pieces(400, 10_000).entries()) {
      state = reduce(state, event);
      const { content, dropped } = state.timeline.get("agent:m") as MessageEntry;
      expect(content.length).toBeGreaterThanOrEqual(Math.min(index + 1, 64));
      expect((dropped?.items ?? 0) + content.length).toBe(index + 1);
    }
  });

  it("keeps what is no text, however much that is, and the text around it", () => {
    const images = Array.from({ length: 10 }, () => chunk(image));
    const state = fold([chunk(text("Look:")), ...images, ...pieces(30_000, 60)]);
    const { content, dropped } = state.timeline.get("agent:m") as MessageEntry;
    expect([...content].filter(({ type }) => type === "image")).toHaveLength(10);
    expect(messageText({ content })).toMatch(/^Look:0\./);
    expect((dropped?.items ?? 0) + content.length).toBe(30_011);
  });

  it("may be a summary, but no tool call: what version 1 says of that on the wire is all that the state has", () => {
    const said = Array.from({ length: 40_000 }, (_, index) => text(String(index).padEnd(60, ".")));
    const state = fold(
      said.flatMap((content): SessionEvent[] => [
        { type: "tool_call_content_chunk", toolCallId: "t", content: { type: "content", content } },
        { type: "compaction_summary_chunk", compactionId: "c", content },
      ]),
    );
    const call = state.timeline.get("tool_call:t") as ToolCallEntry;
    const { summary, dropped } = state.timeline.get("compaction:c") as CompactionEntry;
    expect([call.content.length, call.dropped]).toEqual([40_000, undefined]);
    expect((dropped?.items ?? 0) + summary.length).toBe(40_000);
    expect([dropped?.items !== undefined, summary.at(-1)]).toEqual([true, said.at(-1)]);
  });

  it("may be as long as is said, but never more than half of the state", () => {
    const events = pieces(60_000, 60);
    const long = fold(events, { entryBytes: 100 * MIB }).timeline.get("agent:m") as MessageEntry;
    expect([long.content.length, long.dropped]).toEqual([60_000, undefined]);
    const state = fold(events, { stateBytes: 200_000, entryBytes: 100 * MIB });
    expect(state.bytes).toBeLessThan(125_000);
    expect((state.timeline.get("agent:m") as MessageEntry).content.length).toBeGreaterThan(300);
  });

  it("is the same whether events are folded one by one, many at once, or after a snapshot", () => {
    const run = fc.tuple(fc.nat(120), fc.nat(30), fc.constantFrom("m", "n"), fc.boolean());
    fc.assert(
      fc.property(
        fc.array(run, { minLength: 5, maxLength: 25 }),
        fc.integer({ min: 0, max: 30_000 }),
        (runs, bound) => {
          const events = runs.flatMap(([count, length, id, pictured]) => [
            ...pieces(count, length).map((event) => ({ ...event, messageId: id }) as SessionEvent),
            ...(pictured ? [chunk({ ...image, data: "aGk=" }, id)] : []),
          ]);
          const limits = { entryBytes: bound };
          const half = events.length >> 1;
          const apart = events.reduce(reduce, createSessionState(limits));
          const before = fold(events.slice(0, half), limits);
          const { state } = readSnapshot(createSnapshot(before));
          expect(fold(events, limits)).toEqual(apart);
          expect(reduceAll(state as SessionState, events.slice(half))).toEqual(apart);
          expect(reduceAll(before, events.slice(half))).toEqual(apart);
          expect(before).toEqual(state);
        },
      ),
      { numRuns: 60 },
    );
  });
});
