import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { filtered, keyedOf } from "./keyed-list.js";
import type { KeyedList, Naming, Vector } from "./vector.js";

type Item = { readonly key: string; readonly alias?: string; readonly value: number };

const naming: Naming<Item> = { names: ({ key, alias }) => (alias === undefined ? [key] : [key, alias]) };
const empty = keyedOf(naming);
const addTo = (keyed: KeyedList<Item>, item: Item): KeyedList<Item> => (keyed as Vector<Item>).push(item);
const replaceIn = (keyed: KeyedList<Item>, position: number, item: Item): KeyedList<Item> =>
  (keyed as Vector<Item>).set(position, item);

describe("a keyed sequence", () => {
  it("finds its items by key and by alias", () => {
    const keyed = addTo(addTo(empty, { key: "a", value: 1 }), { key: "b", alias: "c", value: 2 });
    expect([keyed.indexOf("a"), keyed.indexOf("b"), keyed.indexOf("c"), keyed.indexOf("d")]).toEqual([0, 1, 1, -1]);
    expect([keyed.get("c")?.value, keyed.has("d"), keyed.get("d")]).toEqual([2, false, undefined]);
  });

  it("does not see what was added or named after it", () => {
    const before = addTo(empty, { key: "a", value: 1 });
    const after = addTo(replaceIn(before, 0, { key: "a", alias: "x", value: 2 }), { key: "b", value: 3 });
    expect([after.indexOf("x"), after.indexOf("b")]).toEqual([0, 1]);
    expect([before.has("x"), before.has("b"), before.get("a")?.value]).toEqual([false, false, 1]);
  });

  it("keeps a name that an older state gives to something else", () => {
    const before = addTo(empty, { key: "a", value: 1 });
    const named = replaceIn(before, 0, { key: "a", alias: "x", value: 2 });
    const fork = addTo(before, { key: "x", value: 3 });
    expect([named.indexOf("x"), fork.indexOf("x"), before.indexOf("x")]).toEqual([0, 1, -1]);
  });

  it("is deeply equal to another one with the same items", () => {
    expect(addTo(empty, { key: "a", value: 1 })).toEqual(keyedOf(naming, addTo(empty, { key: "a", value: 1 })));
    expect(addTo(empty, { key: "a", value: 1 })).not.toEqual(addTo(empty, { key: "a", value: 2 }));
  });

  it("answers like a plain list from every state that ever was, forks included", () => {
    const step = fc.record({
      from: fc.nat(),
      kind: fc.constantFrom("add", "add", "replace", "name", "remove"),
      key: fc.constantFrom(..."abcdefghij"),
      position: fc.nat(),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 50 }), (steps) => {
        const made: Made[] = [{ keyed: empty, model: [] }];
        steps.forEach(({ from, kind, key, position }, value) => {
          const base = made[from % 2 === 0 ? from % made.length : made.length - 1];
          if (base !== undefined) made.push(next(base, { kind, key, position, value }));
        });
        for (const { keyed, model } of made) {
          expect(keyed.toArray()).toEqual(model);
          for (const key of "abcdefghijABCDEFGHIJ") {
            expect(keyed.indexOf(key)).toBe(model.findIndex((item) => item.key === key || item.alias === key));
          }
        }
      }),
    );
  });
});

type Made = { readonly keyed: KeyedList<Item>; readonly model: readonly Item[] };
type Step = { readonly kind: string; readonly key: string; readonly position: number; readonly value: number };

function next({ keyed, model }: Made, { kind, key, position, value }: Step): Made {
  if (kind === "add") {
    if (model.some((item) => item.key === key)) return { keyed, model };
    const item = { key, value };
    return { keyed: addTo(keyed, item), model: [...model, item] };
  }
  if (model.length === 0) return { keyed, model };
  const at = position % model.length;
  const old = model[at] as Item;
  if (kind === "remove") {
    return { keyed: filtered(keyed, (_, index) => index !== at), model: model.filter((_, index) => index !== at) };
  }
  const alias = key.toUpperCase();
  const free = old.alias === undefined && !model.some((item) => item.alias === alias);
  const item = kind === "name" && free ? { ...old, alias, value } : { ...old, value };
  return { keyed: replaceIn(keyed, at, item), model: model.with(at, item) };
}
