import fc from "fast-check";
import { describe, expect, test, vi } from "vitest";
import { LineParser } from "./line-parser.js";
import { parseLine } from "./ndjson.js";

const chunk = (text: string, more: object = {}) =>
  JSON.stringify({
    ...{ jsonrpc: "2.0", method: "session/update" },
    params: {
      sessionId: "s",
      update: { sessionUpdate: "agent_message_chunk", content: { type: "text", text }, ...more },
    },
  });

/** Reads the lines in order and compares each with what it says alone. */
function compare(lines: readonly string[]): void {
  const parser = new LineParser();
  for (const line of lines) expect(read(() => parser.parse(line))).toEqual(read(() => parseLine(line)));
}

function read(parse: () => unknown): unknown {
  try {
    return parse();
  } catch (error) {
    return (error as Error).name;
  }
}

describe("LineParser", () => {
  test("reads every line as if it stood alone, whatever came before it", () => {
    const text = fc.oneof(fc.string(), fc.constantFrom("", '"', "\\", '","text":"', "\u2028", "}}}}", '\\"'));
    const more = fc.constantFrom({}, { messageId: "m" }, { _meta: { a: 1 } }, { _meta: "text" }, { text: "m" });
    const said = fc.tuple(text, more).map(([said, members]) => chunk(said, members));
    const spoilt = fc
      .tuple(said, fc.nat(200), fc.constantFrom("", '"', "\\", "1", "{", ",", "[", " "))
      .map(([line, at, put]) => line.slice(0, at) + put + line.slice(at + 1));
    const call = fc.tuple(text, fc.nat(3)).map(([name, id]) => JSON.stringify({ jsonrpc: "2.0", id, method: name }));
    const lines = fc.array(fc.oneof({ weight: 6, arbitrary: said }, spoilt, call, fc.json()), { maxLength: 30 });
    fc.assert(fc.property(lines, compare), { numRuns: 500 });
  });

  test.each([
    ["a text that is not the last member", '{"method":"m","params":{"text":"%","messageId":"m"}}'],
    ["a text in a list", '{"method":"m","params":{"content":[{"text":"%"}]}}'],
    ["the same key twice", '{"method":"m","params":{"text":"%","text":"b"}}'],
    ["the same key twice, the last one counts", '{"method":"m","params":{"text":"a","text":"%"}}'],
    ["__proto__", '{"method":"m","params":{"__proto__":{"text":"%"}}}'],
    ["a key instead of a text", '{"method":"m","params":{"%":"text"}}'],
    ["an exact id", '{"method":"%","id":9007199254740993}'],
    ["an exact id to cancel", '{"method":"$/cancel_request","params":{"requestId":9007199254740993,"text":"%"}}'],
    ["spaces and a carriage return", ' {"method" : "m", "params": {"text": "%" } }\r'],
    ["a byte order mark", '\ufeff{"method":"m","params":{"text":"%"}}'],
  ])("%s", (_, line) => {
    compare(["one", "two", "three", "three", "", "x\\ny", "4", "\\u0041"].map((text) => line.replace("%", () => text)));
  });

  test("texts that look like the mark of the place", () => {
    const line = (text: string) =>
      JSON.stringify({ method: "m", params: { a: "\u0000turnkit", text, b: "\u0000turnkit" } });
    compare(["1", "2", "3", "4", "\u0000turnkit", "5"].map(line));
  });

  test("a value of another type in the place of the text", () => {
    const line = (value: string) => `{"method":"m","params":{"text":${value}}}`;
    compare(['"a"', '"b"', '"c"', "1", '"d"', "null", '["e"]', '"f","more":"g"', '"h"', '"i', '"j"'].map(line));
  });

  test("a method that differs, and says how the rest is read", () => {
    const line = (method: string) => `{"method":"${method}","params":{"requestId":9007199254740993}}`;
    compare(["a", "b", "c", "d", "$/cancel_request", "e", "$/cancel_request"].map(line));
  });

  test("lines that only seem to differ in one text are read twice no more than once", () => {
    const parser = new LineParser();
    const line = (update: object) => JSON.stringify({ method: "session/update", params: { update } });
    // Told apart by one text: the shape of these two fits the calls below at both ends.
    for (const type of ["running", "idle"]) parser.parse(line({ sessionUpdate: type }));
    const reads = vi.spyOn(JSON, "parse");
    for (let call = 0; call < 100; call++) {
      const title = `${call}`.padStart(2_000, "é");
      expect(parser.parse(line({ sessionUpdate: "tool_call", title }))).toMatchObject({
        params: { update: { title } },
      });
    }
    expect(reads.mock.calls.length).toBeLessThan(110);
    reads.mockRestore();
  });

  test("no two messages share an object", () => {
    const parser = new LineParser();
    const said = ["a", "b", "c", "d"].map((text) => parser.parse(chunk(text)));
    const parts = said.flatMap((message) => {
      const { params } = message as { params: { update: { content: object } } };
      return [message, params, params.update, params.update.content];
    });
    expect(new Set(parts).size).toBe(16);
  });
});
