import { describe, expect, expectTypeOf, it } from "vitest";
import {
  type Infer,
  integer,
  lenient,
  lenientList,
  list,
  nullAsEmpty,
  nullable,
  object,
  oneOf,
  optional,
  parse,
  record,
  requiredOr,
  sifted,
  string,
} from "./index.js";

const read = (schema: Parameters<typeof parse>[0], value: unknown) => parse(object({ m: schema }), { m: value });

describe("marks on members", () => {
  it("optional: may be missing, must be valid", () => {
    expect(parse(object({ m: optional(string()) }), {})).toEqual({ value: {} });
    expect(read(optional(string()), 1).issues).toHaveLength(1);
    expect(read(optional(string()), null).issues).toHaveLength(1);
  });

  it("nullable: also takes null", () => {
    expect(read(nullable(string()), null)).toEqual({ value: { m: null } });
    expect(read(nullable(oneOf("a")), "a")).toEqual({ value: { m: "a" } });
    expect(read(nullable(string()), 1).issues?.[0]?.message).toBe("expected a string, got a number");
  });

  it("lenient: malformed reads as missing, and the note says why (V1-LEN-01)", () => {
    expect(read(lenient(string()), 5)).toEqual({
      value: {},
      salvaged: [{ path: ["m"], message: "expected a string, got a number" }],
      unrecognized: undefined,
    });
    expect(read(lenient(object({ a: object({ b: string() }) })), { a: {} })).toMatchObject({
      value: {},
      salvaged: [{ path: ["m"], message: "a.b: expected a string, got nothing" }],
    });
    expect(read(lenient(string()), null)).toMatchObject({ value: {} });
    expect(read(lenient(nullable(string())), null)).toEqual({ value: { m: null } });
    expect(parse(object({ m: lenient(string()) }), {})).toEqual({ value: {} });
  });

  it("lenientList: no list reads as missing, bad elements are dropped (V1-LEN-02)", () => {
    expect(read(lenientList(string()), "ab")).toMatchObject({ value: {}, salvaged: [{ path: ["m"] }] });
    expect(read(lenientList(string()), null)).toMatchObject({ value: {} });
    expect(read(lenientList(string()), ["a", 1])).toMatchObject({
      value: { m: ["a"] },
      salvaged: [{ path: ["m", 1] }],
    });
  });

  it("requiredOr: a missing key is an error, garbage and null read as the fallback (V1-LEN-04)", () => {
    const schema = requiredOr(sifted(string()), []);
    expect(parse(object({ m: schema }), {}).issues).toEqual([
      { path: ["m"], message: "expected an array, got nothing" },
    ]);
    expect(parse(schema, undefined).issues).toHaveLength(1);
    expect(read(schema, null)).toMatchObject({ value: { m: [] }, salvaged: [{ path: ["m"] }] });
    expect(read(schema, "x")).toMatchObject({ value: { m: [] } });
    expect(read(schema, ["a", 1])).toMatchObject({ value: { m: ["a"] } });
  });

  it("requiredOr: the fallback is shared, so it is frozen", () => {
    const schema = requiredOr(sifted(string()), []);
    const value = (parse(schema, null) as { value: unknown }).value;
    expect(Object.isFrozen(value)).toBe(true);
    expect((parse(schema, 1) as { value: unknown }).value).toBe(value);
  });

  it("nullAsEmpty: null reads as empty, everything else is strict (V1-LEN-03)", () => {
    expect(read(nullAsEmpty(list(string())), null)).toMatchObject({ value: { m: [] }, salvaged: [{ path: ["m"] }] });
    expect(read(nullAsEmpty(record(string())), null)).toMatchObject({ value: { m: {} } });
    expect(read(nullAsEmpty(object({ a: optional(string()) })), null)).toMatchObject({ value: { m: {} } });
    expect(read(nullAsEmpty(list(string())), [1]).issues).toHaveLength(1);
    expect(read(nullAsEmpty(list(string())), "x").issues).toHaveLength(1);
    expect(parse(object({ m: nullAsEmpty(list(string())) }), {}).issues).toHaveLength(1);
    expect(parse(object({ m: optional(nullAsEmpty(list(string()))) }), {})).toEqual({ value: {} });
  });

  it("nullAsEmpty: an object with required members has no empty form", () => {
    expect(read(nullAsEmpty(object({ a: string() })), null).issues).toHaveLength(1);
  });

  it("marks nest: the innermost that forgives does", () => {
    const schema = object({ outer: lenient(object({ inner: lenient(integer()), must: integer() })) });
    expect(parse(schema, { outer: { inner: "x", must: 1 } })).toMatchObject({
      value: { outer: { must: 1 } },
      salvaged: [{ path: ["outer", "inner"] }],
    });
    expect(parse(schema, { outer: { inner: "x", must: "x" } })).toMatchObject({
      value: {},
      salvaged: [{ path: ["outer"], message: "must: expected a whole number, got a string" }],
    });
  });

  it("types say which members may be missing", () => {
    const schema = object({
      a: lenient(string()),
      b: lenient(nullable(string())),
      c: requiredOr(sifted(string()), []),
      d: optional(nullAsEmpty(list(string()))),
    });
    type Value = Infer<typeof schema>;
    expectTypeOf<Pick<Value, "a" | "b" | "c" | "d">>().toEqualTypeOf<{
      readonly a?: string | undefined;
      readonly b?: string | null | undefined;
      readonly c: readonly string[];
      readonly d?: readonly string[] | undefined;
    }>();
  });
});
