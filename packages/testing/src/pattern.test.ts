import { describe, expect, it } from "vitest";
import { differenceFrom, fits } from "./pattern.js";

describe("a pattern", () => {
  it.each<[string, unknown, unknown]>([
    ["the same value", 7, 7],
    ["an object with more members", { a: 1 }, { a: 1, b: 2 }],
    ["nested objects with more members", { a: { b: 1 } }, { a: { b: 1, c: 2 }, d: 3 }],
    ["an array, item by item", [{ a: 1 }, 2], [{ a: 1, b: 2 }, 2]],
    ["a regular expression", /^he.*o$/, "hello"],
    ["a regular expression that remembers its place", /l/g, "l"],
    ["a function", (value: unknown) => value === 1, 1],
    ["an absent member", { a: undefined }, { b: 1 }],
    ["a matcher of a test runner", { a: expect.any(String) }, { a: "x" }],
    ["a bigint", { id: 9007199254740993n }, { id: 9007199254740993n }],
  ])("fits %s", (_, pattern, value) => {
    expect(fits(pattern, value)).toBe(true);
    expect(fits(pattern, value)).toBe(true);
  });

  it.each<[unknown, unknown, string]>([
    [7, "7", 'expected 7, got "7"'],
    [{ params: { cwd: "/work" } }, { params: { cwd: "/" } }, 'params.cwd: expected "/work", got "/"'],
    [{ a: 1 }, {}, "a: expected 1, got nothing"],
    [{ a: undefined }, { a: null }, "a: expected nothing, got null"],
    [[1, 2], [1, 2, 3], "expected [1,2], got [1,2,3]"],
    [[{ a: 1 }], [{ a: 2 }], "0.a: expected 1, got 2"],
    [{ a: 1 }, [1], 'expected {"a":1}, got [1]'],
    [{ a: /^x/ }, { a: "y" }, 'a: expected "/^x/", got "y"'],
    [{ a: /^x/ }, { a: 1 }, 'a: expected "/^x/", got 1'],
    [{ a: {} }, { a: null }, "a: expected {}, got null"],
    [{ toString: "own" }, {}, 'toString: expected "own", got nothing'],
  ])("%j is not %j", (pattern, value, difference) => {
    expect(differenceFrom(pattern, value)).toBe(difference);
  });

  it("shows what JSON cannot", () => {
    expect(differenceFrom(1n, 2n)).toBe('expected "1n", got "2n"');
  });

  it("shows no more of a value than a reader can take in", () => {
    expect(differenceFrom("a", "b".repeat(10_000))?.length).toBeLessThan(400);
  });
});
