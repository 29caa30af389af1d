import { Buffer } from "node:buffer";
import fc from "fast-check";
import { expect, test } from "vitest";
import { decodeBuffer } from "./stdio.js";

/** Long enough to be worth the fast way. */
const LONG = 5_000;

test.each([
  ["ASCII", "plain text\n"],
  ["Latin-1", "größe: 12 px\n"],
  ["arrows and quotes", 'const a = "→";\n'],
  ["Chinese", "漢字かな交じり文"],
  ["characters of two units", "😀👍🏽"],
  ["a byte order mark", "\ufeffa"],
])("reads %s as it was written", (_, text) => {
  const whole = text.repeat(LONG);
  expect(decodeBuffer(Buffer.from(whole), 0, Buffer.byteLength(whole))).toBe(whole);
});

test("reads a part of a chunk, and one of an array that is no buffer", () => {
  const bytes = new TextEncoder().encode(`${"x".repeat(7)}${"ö".repeat(LONG)}${"y".repeat(9)}`).subarray(2);
  expect(decodeBuffer(bytes, 5, bytes.length - 9)).toBe("ö".repeat(LONG));
});

test("replaces bytes that are no UTF-8 as any decoder of it does", () => {
  const spoilt = fc.tuple(fc.string({ unit: "binary" }), fc.uint8Array({ maxLength: 8 }), fc.nat(LONG));
  fc.assert(
    fc.property(spoilt, ([text, bytes, at]) => {
      const good = Buffer.from(`${text}ö→😀`.repeat(LONG / 10));
      const bad = Buffer.concat([good.subarray(0, at), bytes, good.subarray(at)]);
      return decodeBuffer(bad, 0, bad.length) === new TextDecoder("utf-8", { ignoreBOM: true }).decode(bad);
    }),
    { numRuns: 50 },
  );
});
