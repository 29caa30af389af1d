import { Buffer } from "node:buffer";
import fc from "fast-check";
import { describe, expect, test, vi } from "vitest";
import { FrameError } from "../errors.js";
import { type Decode, decodeUtf8, LineReader } from "./line-reader.js";

// Thousands of messages are cut in every way here, on whatever machine.
vi.setConfig({ testTimeout: 60_000 });

const inNode: Decode = (bytes, start, end) =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("utf8", start, end);

function readAll(chunks: readonly Uint8Array[], decode: Decode = inNode, limit = 1_000_000) {
  const reader = new LineReader(limit, decode);
  const lines: string[] = [];
  const sizes: number[] = [];
  const drain = () => {
    for (let line = reader.next(); line !== undefined; line = reader.next()) {
      lines.push(line);
      sizes.push(reader.bytes);
    }
  };
  for (const chunk of chunks) {
    reader.push(chunk);
    drain();
  }
  reader.end();
  drain();
  return { lines, sizes };
}

function cut(bytes: Uint8Array, places: readonly number[]): Uint8Array[] {
  const at = [...new Set(places.map((place) => place % (bytes.length + 1)))].sort((a, b) => a - b);
  return [0, ...at].map((start, i) => bytes.slice(start, at[i] ?? bytes.length));
}

const text = '{"a":1}\n{"b":"zwölf 🚀 €"}\r\n\n\n{"c":"日本語"}\nplain\n{"d":2}\nlast';
const lines = ['{"a":1}', '{"b":"zwölf 🚀 €"}\r', "", "", '{"c":"日本語"}', "plain", '{"d":2}', "last"];

describe.each([
  ["Buffer", inNode],
  ["TextDecoder", decodeUtf8],
])("LineReader with %s", (_, decode) => {
  test("any cut into two or three gives the same lines and sizes", () => {
    const bytes = Buffer.from(text);
    const sizes = lines.map((line) => Buffer.byteLength(line));
    for (let first = 0; first <= bytes.length; first++) {
      for (let second = first; second <= bytes.length; second += 7) {
        const chunks = [bytes.subarray(0, first), bytes.subarray(first, second), bytes.subarray(second)];
        expect(readAll(chunks, decode)).toEqual({ lines, sizes });
      }
    }
    expect(
      readAll(
        [...bytes].map((byte) => Uint8Array.of(byte)),
        decode,
      ),
    ).toEqual({ lines, sizes });
  });

  test("bytes that are no UTF-8 stay in their line, whatever they cut off", () => {
    const byte = fc.constantFrom(0x0a, 0x0a, 0x61, 0xc3, 0xa9, 0xe2, 0x82, 0xac, 0xf0, 0x9f, 0x80, 0xff, 0xed, 0xa0);
    const chunks = fc.array(fc.array(byte, { maxLength: 20 }));
    fc.assert(
      fc.property(chunks, (parts) => {
        const alone: number[][] = [[]];
        for (const each of parts.flat()) {
          if (each === 0x0a) alone.push([]);
          else alone.at(-1)?.push(each);
        }
        if (alone.at(-1)?.length === 0) alone.pop();
        const lines = alone.map((bytes) => decode(Uint8Array.from(bytes), 0, bytes.length));
        const read = readAll(
          parts.map((part) => Uint8Array.from(part)),
          decode,
        );
        expect(read).toEqual({ lines, sizes: alone.map((bytes) => bytes.length) });
      }),
    );
  });

  test("any messages, cut anywhere, come back", () => {
    const messages = fc.array(fc.oneof(fc.jsonValue(), fc.string({ unit: "binary" })), { maxLength: 20 });
    fc.assert(
      fc.property(messages, fc.array(fc.nat(), { maxLength: 40 }), fc.boolean(), (values, places, ended) => {
        const wire = values.map((value) => JSON.stringify(value));
        const bytes = Buffer.from(wire.join("\n") + (ended && wire.length > 0 ? "\n" : ""));
        const got = readAll(cut(bytes, places), decode);
        expect(got.lines).toEqual(wire);
        expect(got.sizes).toEqual(wire.map((line) => Buffer.byteLength(line)));
      }),
    );
  });

  test("any bytes at all give the lines that one decoding gives", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), fc.array(fc.nat(), { maxLength: 20 }), (noise, places) => {
        // No byte order mark: the two decoders treat it differently, and neither way matters.
        const bytes = noise.map((byte) => (byte === 0xef ? 0x0a : byte));
        const expected = Buffer.from(bytes).toString("utf8").split("\n");
        if (expected.at(-1) === "") expected.pop();
        expect(readAll(cut(bytes, places), decode).lines).toEqual(expected);
      }),
    );
  });
});

describe("LineReader's limit", () => {
  const cases: [string, string[], number][] = [
    ["a whole chunk", [`${"x".repeat(11)}\n`], 0],
    ["after good lines of one chunk", [`ok\n${"x".repeat(11)}\nok\n`], 1],
    ["over chunks", ["ok\nxxxxxx", "xxxxxx\n"], 1],
    ["without an end", ["ok\n", "xxxx", "xxxx", "xxxx"], 1],
    ["of bytes, not characters", ["ääääää\n"], 0],
  ];
  test.each(cases)("%s", (_, chunks, before) => {
    const reader = new LineReader(10, inNode);
    const got: string[] = [];
    const read = () => {
      for (const chunk of chunks) {
        reader.push(Buffer.from(chunk));
        for (let line = reader.next(); line !== undefined; line = reader.next()) got.push(line);
      }
    };
    expect(read).toThrow(FrameError);
    expect(got).toEqual(Array(before).fill("ok"));
  });

  test("a line of just the limit passes", () => {
    expect(readAll([Buffer.from(`${"x".repeat(10)}\nxxxxx`), Buffer.from("yyyyy\n")], inNode, 10).lines).toHaveLength(
      2,
    );
  });
});

test("a long line in tiny chunks costs linear time", () => {
  const reader = new LineReader(64_000_000, inNode);
  const chunk = Buffer.alloc(64, "x");
  const started = process.cpuUsage().user / 1000;
  for (let i = 0; i < 250_000; i++) {
    reader.push(chunk);
    reader.next();
  }
  reader.push(Buffer.from("\n"));
  expect(reader.next()).toHaveLength(16_000_000);
  // Quadratic copying would move two terabytes.
  expect(process.cpuUsage().user / 1000 - started).toBeLessThan(3000);
});
