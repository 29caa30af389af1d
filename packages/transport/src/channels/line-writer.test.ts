import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Message } from "../channel.js";
import { LineWriter } from "./line-writer.js";
import { allLimits } from "./message-size.js";

/** A writer over memory: what it wrote, and the ends of ticks and of writes by hand. */
function open(limits = allLimits()) {
  const writes: Uint8Array[] = [];
  const unwritten: (() => void)[] = [];
  let endTick = () => {};
  const writer = new LineWriter(
    {
      encode: (text) => new TextEncoder().encode(text),
      // Memory is not always fresh.
      allocate: (size) => new Uint8Array(size).fill(0x3f),
      write: (bytes, written) => {
        writes.push(bytes);
        unwritten.push(written);
      },
      defer: (flush) => {
        endTick = flush;
      },
      overflow: () => writer.stop(),
    },
    limits,
  );
  const text = () => new TextDecoder("utf-8", { fatal: true }).decode(Buffer.concat(writes));
  const settle = () => {
    for (const written of unwritten.splice(0)) written();
  };
  return { writer, writes, text, settle, endTick: () => endTick() };
}

const note = (text: string): Message => ({ jsonrpc: "2.0", method: "note", params: { text } });

describe("a writer of lines", () => {
  test("writes every message as one line, in order, whatever their sizes and letters", () => {
    const unit = fc.constantFrom("a", "ä", "→", "🚀", '"', "\n", "\ud800");
    const size = fc.oneof(
      { weight: 8, arbitrary: fc.nat(300) },
      { weight: 3, arbitrary: fc.integer({ min: 1_200, max: 6_000 }) },
      { weight: 1, arbitrary: fc.integer({ min: 20_000, max: 70_000 }) },
    );
    const message = fc.tuple(unit, size).map(([letter, times]) => note(letter.repeat(times)));
    const step = fc.record({ message, ends: fc.boolean() });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const { writer, text, writes, endTick } = open();
        for (const { message, ends } of steps) {
          void writer.send(message);
          if (ends) endTick();
        }
        endTick();
        const lines = steps.map(({ message }) => `${JSON.stringify(message)}\n`);
        expect(text()).toBe(lines.join(""));
        const largest = Math.max(0, ...lines.map((line) => Buffer.byteLength(line)));
        expect(Math.max(0, ...writes.map((bytes) => bytes.length))).toBeLessThanOrEqual(Math.max(64 * 1024, largest));
      }),
      // Three bytes per character, which is the most.
      {
        numRuns: 200,
        examples: [[Array.from({ length: 100 }, () => ({ message: note("→".repeat(1_000)), ends: false }))]],
      },
    );
  });

  test("does not wait for the end of the tick when a batch is full", () => {
    const { writer, writes } = open();
    for (let sent = 0; sent < 1_000; sent++) void writer.send(note("x".repeat(100)));
    expect(writes.length).toBeGreaterThan(0);
    expect(Math.min(...writes.map((bytes) => bytes.length))).toBeGreaterThan(48 * 1024);
  });

  test.each([2, 5, 20, 100])("keeps hardly more memory than what it counts, with %s messages in a tick", (count) => {
    const { writer, writes, endTick } = open();
    for (let tick = 0; tick < 10; tick++) {
      for (let sent = 0; sent < count; sent++) void writer.send(note("x".repeat(2_200)));
      endTick();
    }
    const counted = writes.reduce((sum, bytes) => sum + bytes.length, 0);
    const kept = new Set(writes.map((bytes) => bytes.buffer));
    expect([...kept].reduce((sum, { byteLength }) => sum + byteLength, 0)).toBeLessThanOrEqual(2 * counted);
  });

  test("counts what waits in bytes, on its way and not", async () => {
    const { writer, settle, endTick } = open(allLimits({ highWater: 10_000, unsent: 1_000_000, message: 64 * 1024 }));
    const line = new TextEncoder().encode(`${JSON.stringify(note("→".repeat(3_000)))}\n`).length;
    expect(writer.send(note("→".repeat(3_000)))).toBeUndefined();
    endTick();
    expect(line).toBeLessThan(10_000);
    const room = writer.send(note("x".repeat(10_000 - line)));
    expect(room).toBeInstanceOf(Promise);
    endTick();
    settle();
    await room;
    expect(await writer.finish()).toBe(true);
  });
});
