import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { patchedBy } from "./entity.js";
import { kept, patchedMeta, same } from "./patch.js";

describe("a patch", () => {
  it("keeps what is left out, clears by null, replaces by a value", () => {
    const entity: { readonly a: number; readonly b?: number; readonly c?: number } = { a: 1, b: 1, c: 1 };
    expect(patchedBy(entity, { a: undefined, b: null, c: 2 })).toEqual({ a: 1, c: 2 });
  });

  it("keeps the identity of what says the same", () => {
    const value = { a: [1, { b: null }] };
    expect(kept(value, structuredClone(value))).toBe(value);
  });

  it("V2-UPD-04: patches metadata by its top-level keys", () => {
    const current = { keep: { deep: 1 }, gone: 1, replaced: { a: 1 } };
    expect(patchedMeta(current, { gone: null, replaced: { b: 2 }, added: 0 })).toEqual({
      keep: { deep: 1 },
      replaced: { b: 2 },
      added: 0,
    });
    expect(patchedMeta(current, {})).toBe(current);
    expect(patchedMeta(current, undefined)).toBe(current);
    expect(patchedMeta(current, null)).toBeUndefined();
  });

  it("takes the names of built-in members as ordinary keys", () => {
    const patch = JSON.parse('{"__proto__":{"x":1},"constructor":null}');
    const meta = patchedMeta({ constructor: 1, a: 1 }, patch);
    expect(Object.entries(meta ?? {})).toEqual([
      ["a", 1],
      ["__proto__", { x: 1 }],
    ]);
    expect(({} as { x?: unknown }).x).toBeUndefined();
  });

  it("compares JSON like its text does", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (left, right) => {
        expect(same(left, structuredClone(left))).toBe(true);
        const sorted = (value: unknown): string =>
          JSON.stringify(value, (_, member) =>
            typeof member === "object" && member !== null && !Array.isArray(member)
              ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)))
              : member,
          );
        if (!/-0|__proto__/.test(JSON.stringify([left, right]))) {
          expect(same(left, right) || sorted(left) !== sorted(right)).toBe(true);
        }
      }),
    );
  });
});
