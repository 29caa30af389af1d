import { describe, expect, expectTypeOf, it } from "vitest";
import { type Infer, integer, lenient, object, parse, string, type Unrecognized, variants } from "./index.js";

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
