import { describe, expect, expectTypeOf, it } from "vitest";
import {
  exactlyOne,
  extendVariants,
  type Infer,
  integer,
  lenient,
  object,
  openVariants,
  parse,
  string,
  type Unrecognized,
  variants,
} from "./index.js";

const circle = object({ radius: integer() });
const square = object({ side: integer(), name: lenient(string()) });
const kept = variants("shape", { circle, square }, { unknown: "keep" });
const closed = variants("shape", { circle, square }, { unknown: "reject" });
const plain = variants("shape", { circle }, { unknown: square, untagged: square });

describe("variants", () => {
  it("reads by the tag and returns the same object", () => {
    const value = { shape: "circle", radius: 1 };
    const read = parse(kept, value);
    expect("value" in read && read.value).toBe(value);
  });

  it("makes a known tag with a bad body an error, never another variant", () => {
    expect(parse(kept, { shape: "circle", radius: "x" }).issues).toEqual([
      { path: ["radius"], message: "expected a whole number, got a string" },
    ]);
    expect(parse(plain, { shape: "circle", side: 1 }).issues).toHaveLength(1);
  });

  it("keeps an unknown variant as it came and remarks it", () => {
    const value = { shape: "star", points: [1] };
    const read = parse(kept, value);
    expect(read).toMatchObject({ unrecognized: [{ path: ["shape"], message: 'expected "circle" or "square"' }] });
    expect("value" in read && read.value).toBe(value);
  });

  it("refuses an unknown variant where it is told to", () => {
    expect(parse(closed, { shape: "star" }).issues).toEqual([
      { path: ["shape"], message: 'expected "circle" or "square", got a string' },
    ]);
  });

  it("refuses what has no tag, a tag that is no string, and what is no object", () => {
    for (const schema of [kept, closed]) {
      for (const value of [{}, { shape: 1 }, { shape: null }, [], null, "circle"]) {
        expect(parse(schema, value).issues).toHaveLength(1);
      }
    }
  });

  it("reads what has no tag, or an unknown one, by the schema given for it", () => {
    expect(parse(plain, { side: 1 })).toEqual({ value: { side: 1 } });
    expect(parse(plain, { shape: null, side: 1 })).toEqual({ value: { shape: null, side: 1 } });
    expect(parse(plain, { shape: "box", side: 1 })).toMatchObject({ value: { shape: "box", side: 1 } });
    expect(parse(plain, { shape: "box" }).issues).toHaveLength(1);
    expect(parse(plain, { side: 1, name: 5 })).toMatchObject({ value: { side: 1 }, salvaged: [{ path: ["name"] }] });
  });

  it("is not fooled by tags that every object inherits", () => {
    for (const name of ["constructor", "toString", "__proto__", "hasOwnProperty"]) {
      expect(parse(closed, { shape: name }).issues).toHaveLength(1);
      expect(parse(kept, { shape: name })).toMatchObject({ value: { shape: name } });
    }
  });

  it("has a type that narrows, and whose unknown variant nobody can write", () => {
    type Shape = Infer<typeof kept>;
    const area = (shape: Shape): number => {
      switch (shape.shape) {
        case "circle":
          return shape.radius * shape.radius * 3;
        case "square":
          return shape.side * shape.side;
        default:
          expectTypeOf(shape.shape).toEqualTypeOf<Unrecognized>();
          return (shape.shape as string) === "_point" ? 0 : -1;
      }
    };
    expect(area({ shape: "square", side: 2 })).toBe(4);
    const received = parse(kept, { shape: "_point" });
    expect("value" in received && area(received.value)).toBe(0);
    // @ts-expect-error an unknown variant can be received, not written
    const invented: Shape = { shape: "star" };
    // @ts-expect-error nor a member that the variant does not have
    const misspelt: Shape = { shape: "circle", radius: 1, raduis: 2 };
    expect([invented, misspelt]).toHaveLength(2);
  });
});

const open = openVariants("shape", { circle: object({ radius: integer() }) });

describe("openVariants", () => {
  it("keeps unknown variants, and remarks only those that are nobody's own", () => {
    for (const shape of ["_mine", "star"]) {
      const value = { shape, spikes: 5 };
      const read = parse(open, value);
      expect("value" in read && read.value).toBe(value);
      expect("unrecognized" in read && read.unrecognized !== undefined).toBe(shape === "star");
    }
    expect(parse(open, { shape: "circle" }).issues).toHaveLength(1);
    expect(parse(open, {}).issues).toHaveLength(1);
  });

  it("reads other variants by what they all have", () => {
    const named = openVariants("shape", { circle: object({ name: string() }) }, { other: object({ name: string() }) });
    expect(parse(named, { shape: "_mine" }).issues).toMatchObject([{ path: ["name"] }]);
    expect(parse(named, { shape: "star", name: "a", spikes: 5 })).toMatchObject({ value: { spikes: 5 } });
  });

  it("takes an object without a tag for the assumed variant, on a copy, and says so", () => {
    const assuming = openVariants("shape", { circle: object({ radius: integer() }) }, { assumed: "circle" });
    const value = { radius: 2 };
    expect(parse(assuming, value)).toEqual({
      value: { shape: "circle", radius: 2 },
      salvaged: [{ path: ["shape"], message: 'expected "circle", got nothing' }],
    });
    expect(value).toEqual({ radius: 2 });
    expect(parse(assuming, { shape: null, radius: 2 }).issues).toHaveLength(1);
    expect(parse(assuming, { radius: "2" }).issues).toHaveLength(1);
  });

  it("has a type that narrows, and lets variants of one's own be written, but no others", () => {
    type Shape = Infer<typeof open>;
    const area = (shape: Shape): number => (shape.shape === "circle" ? shape.radius * shape.radius * 3 : 0);
    const mine: Shape = { shape: "_mine", spikes: 5 };
    // @ts-expect-error it belongs to a future protocol
    const future: Shape = { shape: "star" };
    // @ts-expect-error a misspelt member
    const misspelt: Shape = { shape: "circle", radius: 1, raduis: 2 };
    expect([area({ shape: "circle", radius: 2 }), mine, future, misspelt]).toHaveLength(4);
  });
});

describe("extendVariants", () => {
  const more = extendVariants(kept, "shape", {
    star: object({ spikes: integer() }),
    circle: object({ size: integer() }),
  });

  it("adds variants and puts others in the place of known ones", () => {
    expect(parse(more, { shape: "star", spikes: 5 })).toEqual({ value: { shape: "star", spikes: 5 } });
    expect(parse(more, { shape: "star" }).issues).toHaveLength(1);
    expect(parse(more, { shape: "circle", radius: 2 }).issues).toMatchObject([{ path: ["size"] }]);
    expect(parse(more, { shape: "square", side: 2 })).toEqual({ value: { shape: "square", side: 2 } });
  });

  it("treats the unknown and the untagged as before", () => {
    expect(parse(more, { shape: "_x" })).toMatchObject({ unrecognized: [{ path: ["shape"] }] });
    expect(parse(extendVariants(closed, "shape", {}), { shape: "_x" }).issues).toHaveLength(1);
    const untagged = variants("shape", {}, { unknown: "reject", untagged: object({ a: integer() }) });
    expect(parse(extendVariants(untagged, "shape", {}), { a: 1 })).toEqual({ value: { a: 1 } });
  });
});

describe("exactlyOne", () => {
  const scope = exactlyOne({ session: object({ session: string() }), request: object({ request: string() }) });

  it("reads by the member that is there", () => {
    const value = { session: "s", other: 1 };
    const read = parse(scope, value);
    expect("value" in read && read.value).toBe(value);
    expect(parse(scope, { request: 5 }).issues).toEqual([
      { path: ["request"], message: "expected a string, got a number" },
    ]);
  });

  it("refuses none and several, also when one of them is malformed", () => {
    expect(parse(scope, {}).issues).toEqual([
      { path: [], message: "expected exactly one of session and request, got none" },
    ]);
    for (const request of ["r", null, 5]) expect(parse(scope, { session: "s", request }).issues).toHaveLength(1);
    expect(parse(scope, []).issues).toHaveLength(1);
  });

  it("has a type that does not let both be written", () => {
    type Scope = Infer<typeof scope>;
    const one: Scope = { session: "s" };
    // @ts-expect-error one or the other
    const both: Scope = { session: "s", request: "r" };
    expect([one, both]).toHaveLength(2);
  });
});
