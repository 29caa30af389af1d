import { describe, expect, expectTypeOf, it } from "vitest";
import { extend, type Infer, integer, lenient, object, optional, parse, record, type Schema, string } from "./index.js";

const place = object({ path: string(), line: lenient(integer(0)), note: optional(string()) });

describe("object", () => {
  it("returns the very same object when nothing had to be corrected (copy on write)", () => {
    const value = { path: "/a", line: 3, note: "n", _meta: { k: 1 }, extra: [1] };
    const read = parse(place, value);
    expect(read).toEqual({ value });
    expect("value" in read && read.value).toBe(value);
  });

  it("takes its members from a function, which is called once and not before the first use", () => {
    let calls = 0;
    const late = object(() => {
      calls += 1;
      return { path: string() };
    });
    const longer = extend(late, () => ({ line: integer() }));
    expectTypeOf<Infer<typeof longer>["line"]>().toEqualTypeOf<number>();
    expect(calls).toBe(0);
    expect(parse(late, { path: 1 }).issues).toHaveLength(1);
    expect(parse(longer, {}).issues).toHaveLength(2);
    expect(calls).toBe(1);
  });

  it("keeps members that it does not know (V1-LEN-08)", () => {
    expect(parse(place, { path: "/a", fromTheFuture: { x: 1 } })).toEqual({
      value: { path: "/a", fromTheFuture: { x: 1 } },
    });
  });

  it("names every bad and missing member", () => {
    expect(parse(object({ a: string(), b: string(), c: object({ d: string() }) }), { b: 1, c: {} }).issues).toEqual([
      { path: ["a"], message: "expected a string, got nothing" },
      { path: ["b"], message: "expected a string, got a number" },
      { path: ["c", "d"], message: "expected a string, got nothing" },
    ]);
  });

  it("takes no arrays, null or scalars for an object", () => {
    for (const value of [[], null, "a", 1, undefined]) expect(parse(place, value).issues).toHaveLength(1);
  });

  it("reads a malformed `_meta` as absent and keeps null (V1-EXT-01)", () => {
    expect(parse(place, { path: "/a", _meta: 5 })).toMatchObject({
      value: { path: "/a" },
      salvaged: [{ path: ["_meta"], message: "expected an object or null, got a number" }],
    });
    expect(parse(place, { path: "/a", _meta: [] })).toMatchObject({ value: { path: "/a" } });
    expect(parse(place, { path: "/a", _meta: null })).toEqual({ value: { path: "/a", _meta: null } });
  });

  it("leaves the input alone when it corrects, and copies only the touched path", () => {
    const outer = object({ left: place, right: place });
    const value = { left: { path: "/a", line: "x" }, right: { path: "/b" } };
    const before = structuredClone(value);
    const read = parse(outer, value) as { value: { left: object; right: object } };
    expect(value).toEqual(before);
    expect(read.value).toEqual({ left: { path: "/a" }, right: { path: "/b" } });
    expect(read.value.left).not.toBe(value.left);
    expect(read.value.right).toBe(value.right);
  });

  it("takes a member that is undefined for absent", () => {
    expect(parse(place, { path: "/a", line: undefined }).issues).toBeUndefined();
    expect(parse(place, { path: undefined }).issues).toHaveLength(1);
  });

  it("does not let `__proto__` change the prototype of a copy", () => {
    const value = JSON.parse('{"path":"/a","line":"bad","__proto__":{"polluted":true}}');
    const read = parse(place, value) as { value: Record<string, unknown> };
    expect(Object.getPrototypeOf(read.value)).toBe(Object.prototype);
    expect(read.value.polluted).toBeUndefined();
    expect(Object.keys(read.value)).toEqual(["path", "__proto__"]);
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  });

  it("has a type with readonly members, optional ones and `_meta`, and no others", () => {
    type Place = Infer<typeof place>;
    expectTypeOf<Place["path"]>().toEqualTypeOf<string>();
    expectTypeOf<Place["line"]>().toEqualTypeOf<number | undefined>();
    const value: Place = { path: "/a", _meta: { any: "thing" } };
    expect(value.path).toBe("/a");
    // @ts-expect-error members are readonly
    value.path = "/b";
    // @ts-expect-error a misspelt member does not compile
    const misspelt: Place = { path: "/a", lien: 3 };
    // @ts-expect-error a required member must be there
    const missing: Place = {};
    expect([misspelt, missing]).toHaveLength(2);
  });

  it("extend puts members in the place of those with the same name, and drops their types", () => {
    const schema = extend(place, { line: string() });
    expect(parse(schema, { path: "/a", line: "3" })).toEqual({ value: { path: "/a", line: "3" } });
    expect(parse(schema, { path: "/a", line: 3 }).issues).toHaveLength(1);
    expectTypeOf<Infer<typeof schema>["line"]>().toEqualTypeOf<string>();
    expectTypeOf<Infer<typeof schema>["path"]>().toEqualTypeOf<string>();
  });

  it("extend adds members", () => {
    const schema = extend(place, { name: string() });
    expectTypeOf<Infer<typeof schema>["name"]>().toEqualTypeOf<string>();
    expect(parse(schema, { path: "/a", name: "n" }).issues).toBeUndefined();
    expect(parse(schema, { path: "/a" }).issues).toEqual([
      { path: ["name"], message: "expected a string, got nothing" },
    ]);
    expect(parse(schema, { name: "n" }).issues).toHaveLength(1);
  });
});

describe("record", () => {
  const map: Schema<{ readonly [key: string]: string }> = record(string());

  it("checks every value and returns the same object", () => {
    const value = { a: "1", b: "2" };
    const read = parse(map, value);
    expect("value" in read && read.value).toBe(value);
    expect(parse(map, { a: "1", b: 2 }).issues).toEqual([{ path: ["b"], message: "expected a string, got a number" }]);
    expect(parse(map, ["a"]).issues).toHaveLength(1);
  });

  it("corrects below a key called `__proto__` without touching any prototype", () => {
    const value = JSON.parse('{"__proto__":{"path":"/a","line":"bad"},"b":{"path":"/b"}}');
    const read = parse(record(place), value) as { value: Record<string, unknown> };
    expect(Object.getPrototypeOf(read.value)).toBe(Object.prototype);
    expect(JSON.stringify(read.value)).toBe('{"__proto__":{"path":"/a"},"b":{"path":"/b"}}');
  });
});
