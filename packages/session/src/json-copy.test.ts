import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { jsonCopy, measuredCopy } from "./json-copy.js";

const anyObject = fc.object({ withDate: true, withNullPrototype: true, maxDepth: 4 });

describe("a copy", () => {
  it("writes the same JSON as its source, in no more bytes than its bound", () => {
    fc.assert(
      fc.property(anyObject, (value) => {
        const json = JSON.stringify(value);
        const { copy, mostBytes } = measuredCopy(value);
        expect(JSON.stringify(copy)).toBe(json);
        expect(JSON.stringify(jsonCopy(value))).toBe(json);
        expect(mostBytes).toBeGreaterThanOrEqual(Buffer.byteLength(json));
      }),
    );
  });

  it("counts texts whose characters take six bytes, and those of toJSON", () => {
    const [value, json] = [{ text: "\u0001".repeat(1000), late: { toJSON: () => "\u0002".repeat(1000) } }, 12_000];
    expect(measuredCopy(value).mostBytes).toBeGreaterThan(json);
    expect(measuredCopy([value, value]).mostBytes).toBeGreaterThan(2 * json);
  });

  it("does not change with its source, however deep", () => {
    let deep: { [member: string]: unknown } = { end: "was" };
    const { end } = { end: deep };
    for (let depth = 0; depth < 1000; depth += 1) deep = { deep };
    const { copy, mostBytes } = measuredCopy(deep);
    const before = JSON.stringify(copy);
    end.end = "is";
    expect(JSON.stringify(copy)).toBe(before);
    expect(mostBytes).toBe(Number.POSITIVE_INFINITY);
  });
});
