import { describe, expect, it } from "vitest";
import { lenient, list, nullAsEmpty, object, parse, sifted, string } from "./index.js";

describe("list", () => {
  it("is as it was when every element is valid, and invalid when one is not", () => {
    const value = ["a", "b"];
    const read = parse(list(string()), value);
    expect("value" in read && read.value).toBe(value);
    expect(parse(list(string()), ["a", 1, 2]).issues).toEqual([
      { path: [1], message: "expected a string, got a number" },
    ]);
    expect(parse(list(string()), { 0: "a" }).issues).toHaveLength(1);
  });

  it("copies when an element was corrected", () => {
    const element = object({ a: lenient(string()) });
    const value = [{ a: "x" }, { a: 1 }, { a: "y" }];
    const read = parse(list(element), value) as { value: unknown[] };
    expect(read).toMatchObject({ value: [{ a: "x" }, {}, { a: "y" }], salvaged: [{ path: [1, "a"] }] });
    expect(read.value[0]).toBe(value[0]);
    expect(value[1]).toEqual({ a: 1 });
  });
});

describe("a list with a least length", () => {
  it("is invalid when it is shorter, also after bad elements were dropped", () => {
    for (const value of [[], [1]]) {
      expect(parse(sifted(string(), 1), value).issues).toEqual([
        { path: [], message: "expected an array that is not empty, got an array" },
      ]);
    }
    expect(parse(list(string(), 2), ["a"]).issues).toEqual([
      { path: [], message: "expected an array of at least 2 elements, got an array" },
    ]);
    expect(parse(list(string(), 1), ["a"])).toEqual({ value: ["a"] });
    expect(parse(nullAsEmpty(list(string(), 1)), null).issues).toHaveLength(1);
  });
});

describe("sifted", () => {
  it("drops bad elements, keeps the others in order and tells which (V1-LEN-02)", () => {
    const value = ["a", 1, "b", null, "c"];
    expect(parse(sifted(string()), value)).toEqual({
      value: ["a", "b", "c"],
      salvaged: [
        { path: [1], message: "expected a string, got a number" },
        { path: [3], message: "expected a string, got null" },
      ],
      unrecognized: undefined,
    });
    expect(value).toHaveLength(5);
  });

  it("becomes empty when every element is bad, and is invalid when it is no list", () => {
    expect(parse(sifted(string()), [1, 2])).toMatchObject({ value: [] });
    expect(parse(sifted(string()), "ab").issues).toHaveLength(1);
  });

  it("tells at most a hundred of what it dropped", () => {
    const read = parse(
      sifted(string()),
      Array.from({ length: 5000 }, () => 1),
    );
    expect(read).toMatchObject({ value: [] });
    expect("salvaged" in read && read.salvaged).toHaveLength(100);
  });

  it("still finds an error after a hundred remarks", () => {
    const schema = object({ many: sifted(string()), one: string() });
    const read = parse(schema, { many: Array.from({ length: 200 }, () => 1), one: 1 });
    expect(read.issues).toEqual([{ path: ["one"], message: "expected a string, got a number" }]);
  });
});
