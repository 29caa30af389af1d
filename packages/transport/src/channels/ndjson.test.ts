import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Message } from "../channel.js";
import { parseLine, serialise } from "./ndjson.js";

const big = "9007199254740993";

describe("parseLine", () => {
  test.each([
    [`{"id":${big}}`, 9007199254740993n],
    [`{"id":-${big}}`, -9007199254740993n],
    ['{"id":9223372036854775807}', 9223372036854775807n],
    [` {\n"id" :\t${big} , "a":1}`, 9007199254740993n],
    [`{"params":{"id":1,"deep":[{"id":2},"}"]},"id":${big}}`, 9007199254740993n],
    [`{"a":"\\"id\\":1,\\\\","id":${big}}`, 9007199254740993n],
    [`{"\\u0069d":${big}}`, 9007199254740993n],
    [`{"id":1,"id":${big}}`, 9007199254740993n],
    [`{"a":[],"b":{},"c":"","d":null,"e":-1.5e3,"id":${big}}`, 9007199254740993n],
    [`{"id":${big},"id":2}`, 2],
    [`{"id":${big},"id":"x"}`, "x"],
    ['{"id":9007199254740991}', 9007199254740991],
    ['{"id":0}', 0],
    ['{"id":1.5}', 1.5],
    ['{"id":1e30}', 1e30],
    ['{"id":9007199254740993.0}', 9007199254740992],
    [`{"id":"${big}"}`, big],
    ['{"id":null}', null],
    ["{}", undefined],
  ])("%s", (text, id) => {
    expect((parseLine(text) as { id?: unknown }).id).toBe(id);
  });

  test("the requestId of $/cancel_request is an id too, elsewhere it is a number", () => {
    const text = `{"method":"$/cancel_request","params":{"a":{"requestId":1},"requestId":${big}}}`;
    expect(parseLine(text)).toMatchObject({ params: { requestId: 9007199254740993n } });
    expect(parseLine(text.replace("$/cancel_request", "other"))).toMatchObject({ params: { requestId: Number(big) } });
    expect(parseLine(`{"method":"$/cancel_request","params":[${big}]}`)).toMatchObject({ params: [Number(big)] });
    expect(parseLine('{"method":"$/cancel_request"}')).toEqual({ method: "$/cancel_request" });
  });

  test("the messages of an array keep their ids digit by digit, wherever they stand", () => {
    const text = ` [ {"params":[{"id":1},"]"],"id":${big}},7 ,[{"id":${big}}],{"id":2},null,
      {"method":"$/cancel_request","params":{"requestId":-${big}}} ,{"id":"x"},{"id":${big}}]`;
    expect(parseLine(text)).toMatchObject([
      { id: 9007199254740993n },
      7,
      [{ id: Number(big) }],
      { id: 2 },
      null,
      { params: { requestId: -9007199254740993n } },
      { id: "x" },
      { id: 9007199254740993n },
    ]);
    expect(parseLine("[]")).toEqual([]);
  });

  test("an absurdly long id costs nothing and stays a number", () => {
    expect((parseLine(`{"id":${"9".repeat(100_000)}}`) as { id: number }).id).toBe(Number.POSITIVE_INFINITY);
  });

  test("reads whatever JSON.parse reads, and nothing else", () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        expect(parseLine(text)).toEqual(JSON.parse(text));
      }),
    );
    for (const text of ["", " ", "{", "log", "{'a':1}", '{"id":01}'])
      expect(() => parseLine(text)).toThrow(SyntaxError);
  });
});

describe("serialise", () => {
  test("writes one line, whatever is in it", () => {
    const text = serialise({ jsonrpc: "2.0", method: "m", params: { text: "a\nb\r\u2028\ud800" } });
    expect(text).not.toMatch(/[\n\r]/);
    expect(JSON.parse(text)).toMatchObject({ params: { text: "a\nb\r\u2028\ud800" } });
  });

  test("throws a TypeError for what JSON cannot express", () => {
    const cycle: Record<string, unknown> = {};
    cycle.self = cycle;
    expect(() => serialise({ jsonrpc: "2.0", method: "m", params: cycle })).toThrow(TypeError);
    expect(() => serialise({ jsonrpc: "2.0", method: "m", params: { n: 1n } })).toThrow(TypeError);
  });

  test("every id comes back as it went, digit by digit", () => {
    const id = fc.oneof(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 64n }), fc.integer(), fc.string(), fc.constant(null));
    const exact = (value: unknown) =>
      typeof value === "bigint" && Number.isSafeInteger(Number(value)) ? Number(value) : value;
    fc.assert(
      fc.property(id, fc.dictionary(fc.string(), fc.jsonValue()), (id, params) => {
        const plain = JSON.parse(JSON.stringify(params));
        const messages: Message[] = [
          { jsonrpc: "2.0", id, method: "m", params: plain },
          { jsonrpc: "2.0", id, result: plain },
          { jsonrpc: "2.0", id, error: { code: 1, message: "m" } },
          { jsonrpc: "2.0", method: "$/cancel_request", params: { ...plain, requestId: id } },
          { jsonrpc: "2.0", method: "$/cancel_request", params: { requestId: id } },
        ];
        for (const message of messages) {
          const expected = structuredClone(message) as { id?: unknown; params?: { requestId?: unknown } };
          if ("id" in expected) expected.id = exact(expected.id);
          else if (expected.params) expected.params.requestId = exact(expected.params.requestId);
          expect(parseLine(serialise(message))).toEqual(expected);
        }
      }),
    );
  });
});
