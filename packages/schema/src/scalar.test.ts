import { describe, expect, it } from "vitest";
import {
  boolean,
  firstOf,
  integer,
  keptEnum,
  list,
  literal,
  number,
  object,
  oneOf,
  openEnum,
  parse,
  string,
  unknown,
} from "./index.js";

const message = (schema: Parameters<typeof parse>[0], value: unknown) => parse(schema, value).issues?.[0]?.message;

describe("scalars", () => {
  it.each([
    ["string()", string(), ["", "a"], [1, null, [], {}, true, undefined]],
    ["string(1)", string(1), ["a"], ["", 1, null]],
    ["boolean()", boolean(), [true, false], [0, "true", null]],
    ["number()", number(), [0, -1.5, 1e300], ["1", null, Number.NaN, Number.POSITIVE_INFINITY]],
    ["number(0, 1)", number(0, 1), [0, 0.5, 1], [-0.1, 1.1, Number.NaN]],
    ["integer()", integer(), [0, -1, 2 ** 60], [1.5, "1", null, Number.POSITIVE_INFINITY]],
    ["integer(0, 65535)", integer(0, 0xffff), [0, 65535], [-1, 65536, 1.5]],
    ['literal("x")', literal("x"), ["x"], ["y", 1, null]],
    ["literal(1)", literal(1), [1], ["1", 2]],
    ['oneOf("a", "b")', oneOf("a", "b"), ["a", "b"], ["c", 1, null]],
    ["unknown()", unknown(), [null, 1, "a", {}, [1]], []],
  ])("%s takes what it should and nothing else", (_, schema, good, bad) => {
    for (const value of good) expect(parse(schema, value)).toEqual({ value });
    for (const value of bad) expect(parse(schema, value).issues).toHaveLength(1);
  });

  it("says what was expected and what kind of thing came, without quoting it", () => {
    expect(message(string(), 5)).toBe("expected a string, got a number");
    expect(message(string(1), "")).toBe("expected a string that is not empty, got a string");
    expect(message(integer(0, 10), "secret")).toBe("expected a whole number from 0 to 10, got a string");
    expect(message(oneOf("a", "b"), "secret")).toBe('expected "a" or "b", got a string');
    expect(message(literal("a"), undefined)).toBe('expected "a", got nothing');
    expect(message(boolean(), [])).toBe("expected a boolean, got an array");
    expect(message(boolean(), null)).toBe("expected a boolean, got null");
    expect(message(number(), Number.NaN)).toBe("expected a number, got a number that is not finite");
    expect(message(string(), 1n)).toBe("expected a string, got a bigint");
  });

  it("does not limit 64-bit numbers to the safe integers (V1-RPC-22)", () => {
    expect(parse(integer(), 2 ** 63)).toEqual({ value: 2 ** 63 });
    expect(parse(integer(), JSON.parse("9007199254740993")).issues).toBeUndefined();
  });
});

describe("open enums", () => {
  it("keep every string and remark those that are neither known nor custom (V1-LEN-07)", () => {
    const schema = openEnum("info", "error");
    expect(parse(schema, "info")).toEqual({ value: "info" });
    expect(parse(schema, "_mine")).toEqual({ value: "_mine" });
    expect(parse(schema, "loud")).toMatchObject({ value: "loud", unrecognized: [{ path: [] }] });
    expect(parse(schema, 5).issues).toHaveLength(1);
  });

  it("kept enums remark a custom value too, since the protocol closes them", () => {
    const schema = keptEnum("read", "edit");
    expect(parse(schema, "read")).toEqual({ value: "read" });
    expect(parse(schema, "_mine")).toMatchObject({ value: "_mine", unrecognized: [{ path: [] }] });
    expect(parse(schema, null).issues).toHaveLength(1);
  });
});

describe("firstOf", () => {
  const schema = firstOf(string(), list(integer()));

  it("takes the first schema that fits", () => {
    expect(parse(schema, "a")).toEqual({ value: "a" });
    expect(parse(schema, [1])).toEqual({ value: [1] });
  });

  it("names all kinds when the kind is wrong, else the issues of the closest one", () => {
    expect(parse(schema, 1).issues).toEqual([{ path: [], message: "expected a string or an array, got a number" }]);
    expect(parse(schema, ["a"]).issues).toEqual([{ path: [0], message: "expected a whole number, got a string" }]);
  });

  it("of two that are as close tells of the one that was read deeper", () => {
    const either = firstOf(object({ result: string() }), object({ error: object({ code: integer() }) }));
    expect(parse(either, { error: {} }).issues).toMatchObject([{ path: ["error", "code"] }]);
    expect(parse(either, {}).issues).toMatchObject([{ path: ["result"] }]);
  });
});
