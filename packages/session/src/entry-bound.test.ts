import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { stateBytes } from "../test/state-bytes.js";
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
/** Returns pieces of the given number and length, each with its number. */
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

  it.each([10_000, 200_000])("never keeps less than 64 pieces or more than 130, of %i letters", (length) => {
    let state = createSessionState();
    for (const [index, event] of pieces(200, length).entries()) {
      state = reduce(state, event);
      const { content, dropped } = state.timeline.get("agent:m") as MessageEntry;
      expect(content.length).toBeGreaterThanOrEqual(Math.min(index + 1, 64));
      expect(content.length).toBeLessThanOrEqual(130);
      expect((dropped?.items ?? 0) + content.length).toBe(index + 1);
    }
  });

  it("may be of pieces whose other members are undefined, which is nothing", () => {
    const marked = { type: "text", text: "four", annotations: undefined } as const;
    const bare = fold(Array.from({ length: 40_000 }, () => chunk(text("four"))));
    const state = fold(Array.from({ length: 40_000 }, () => chunk(marked as never)));
    expect(state).toEqual(bare);
    expect(readSnapshot(createSnapshot(state)).state).toEqual(state);
  });

  it("has lost nothing any more once it is told anew", () => {
    const content = [text("All of it.")];
    const cut: SessionEvent[] = [
      ...pieces(40_000, 60),
      ...pieces(40_000, 60).map(
        (event): SessionEvent => ({ ...event, type: "compaction_summary_chunk", compactionId: "c" }) as never,
      ),
    ];
    const before = fold(cut);
    const after = reduceAll(before, [
      { type: "agent_message", messageId: "m", content },
      { type: "compaction_update", compactionId: "c", status: "completed", summary: content },
    ]);
    const lost = ({ timeline }: SessionState) =>
      ["agent:m", "compaction:c"].map((key) => (timeline.get(key) as MessageEntry).dropped);
    expect(lost(before)).toEqual([
      { items: expect.any(Number), bytes: expect.any(Number) },
      { items: expect.any(Number), bytes: expect.any(Number) },
    ]);
    expect(lost(after)).toEqual([undefined, undefined]);
    expect(after.bytes).toBe(readSnapshot(createSnapshot(after)).state?.bytes);
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

  it("is the same whether events are folded one by one, many at once, or after a snapshot, and leaves older ones", () => {
    const run = fc.tuple(fc.nat(130), fc.nat(30), fc.constantFrom("m", "n"), fc.constantFrom(...turns));
    fc.assert(
      fc.property(
        fc.array(run, { minLength: 5, maxLength: 25 }),
        fc.integer({ min: 0, max: 30_000 }),
        fc.nat(),
        (runs, entryBytes, pick) => {
          const events = runs.flatMap(([count, length, id, then]) => [
            ...pieces(count, length).map((event) => ({ ...event, messageId: id }) as SessionEvent),
            ...then(id),
          ]);
          const at = pick % (events.length + 1);
          const apart = events.reduce(reduce, createSessionState({ entryBytes }));
          const before = fold(events.slice(0, at), { entryBytes });
          const { state } = readSnapshot(createSnapshot(before));
          expect(fold(events, { entryBytes })).toEqual(apart);
          expect(reduceAll(state as SessionState, events.slice(at))).toEqual(apart);
          expect(reduceAll(before, events.slice(at))).toEqual(apart);
          // It is another line of appends by now.
          expect(reduceAll(before, events)).toEqual(reduceAll(state as SessionState, events));
          expect(before).toEqual(state);
          expect([stateBytes(before), stateBytes(apart)]).toEqual([before.bytes, apart.bytes]);
        },
      ),
      { numRuns: 60 },
    );
  });
});

/** Events that may follow some pieces of a message. */
const turns: readonly ((messageId: string) => readonly SessionEvent[])[] = [
  () => [],
  (id) => [chunk({ ...image, data: "aGk=" }, id)],
  (id) => [chunk({ ...text("marked"), annotations: { priority: 1 } } as never, id)],
  (messageId) => [{ type: "agent_message", messageId, content: null }],
  (messageId) => [{ type: "agent_message", messageId, content: new Array(200).fill(text("Anew.")) }],
  () => pieces(140, 9).map((event, at) => ({ ...event, messageId: at % 2 ? "m" : "n" }) as SessionEvent),
  () => pieces(70, 9).map((event) => ({ ...event, messageId: undefined }) as SessionEvent),
];
