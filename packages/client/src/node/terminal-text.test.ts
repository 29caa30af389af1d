import { Buffer } from "node:buffer";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { TerminalText } from "./terminal-text.js";

/** Bytes at random, among them whole characters, halves of characters, and what is no UTF-8 at all. */
const bytes = fc
  .array(
    fc.oneof(
      fc.uint8Array({ maxLength: 6 }),
      fc.constantFrom("a", "é", "€", "🚀", "\0", "\ufeff", "\r\n").map((text) => Buffer.from(text)),
    ),
    { maxLength: 40 },
  )
  .map((parts) => Buffer.concat(parts));

/** The same bytes in chunks that end anywhere. */
function chunksOf(whole: Buffer, cuts: readonly number[]): Buffer[] {
  const ends = [...new Set([...cuts.map((cut) => cut % (whole.length + 1)), whole.length])].sort((a, b) => a - b);
  return ends.map((end, n) => whole.subarray(ends[n - 1] ?? 0, end));
}

const cuts = fc.array(fc.nat(200), { maxLength: 20 });
const limits = fc.oneof(fc.nat(8), fc.nat(300));

/** The last `limit` bytes without what is left of a character that was cut. */
function tail(all: Buffer, limit: number): string {
  let start = Math.max(0, all.length - limit);
  while (start > 0 && ((all[start] ?? 0) & 0xc0) === 0x80) start++;
  return all.subarray(start).toString();
}

describe("text of a terminal", () => {
  test("is the tail of all that was written, in whole characters and within its bound, whatever the bytes", () => {
    fc.assert(
      fc.property(fc.tuple(bytes, cuts), fc.tuple(bytes, cuts), limits, (one, other, limit) => {
        const text = new TerminalText(limit);
        const received: Uint8Array[] = [];
        text.onData((piece) => received.push(piece));
        const streams = [one, other].map(([whole, where]) => ({ to: text.open(), chunks: chunksOf(whole, where) }));
        for (let n = 0; streams.some(({ chunks }) => n < chunks.length); n++) {
          for (const { to, chunks } of streams) {
            const chunk = chunks[n];
            if (chunk) to.write(chunk);
            const all = Buffer.concat(received);
            expect(Buffer.byteLength(text.text)).toBeLessThanOrEqual(limit);
            expect(text.text).toBe(tail(all, limit));
            expect(text.truncated).toBe(all.length > limit);
          }
        }
        for (const { to } of streams) to.end();
        expect(text.text).toBe(tail(Buffer.concat(received), limit));
      }),
      { numRuns: 2_000 },
    );
  });

  test("loses and mixes no character of either stream, wherever chunks end", () => {
    const letters = (alphabet: readonly string[]) =>
      fc.array(fc.constantFrom(...alphabet), { maxLength: 60 }).map((parts) => parts.join(""));
    const alphabets = [
      ["a", "é", "€", "🚀"],
      ["b", "ü", "三", "😀"],
    ] as const;
    fc.assert(
      fc.property(letters(alphabets[0]), letters(alphabets[1]), cuts, (one, other, where) => {
        const text = new TerminalText(10_000);
        const [first, second] = [one, other].map((whole) => chunksOf(Buffer.from(whole), where)) as [
          Buffer[],
          Buffer[],
        ];
        const streams = [text.open(), text.open()] as const;
        for (let n = 0; n < Math.max(first.length, second.length); n++) {
          streams[0].write(first[n] ?? Buffer.alloc(0));
          streams[1].write(second[n] ?? Buffer.alloc(0));
        }
        const of = (alphabet: readonly string[]) => [...text.text].filter((sign) => alphabet.includes(sign)).join("");
        expect([of(alphabets[0]), of(alphabets[1])]).toEqual([one, other]);
        expect([...text.text]).toHaveLength([...one, ...other].length);
      }),
      { numRuns: 1_000 },
    );
  });

  test("is gone when it is closed, and takes nothing any more", () => {
    const text = new TerminalText(10);
    const received: string[] = [];
    text.onData((piece) => received.push(Buffer.from(piece).toString()));
    const stream = text.open();
    stream.write(Buffer.from("one"));
    text.close();
    stream.write(Buffer.from("two"));
    stream.end();
    expect([text.text, received]).toEqual(["", ["one"]]);
  });
});
