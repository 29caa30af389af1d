import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { bytesOf } from "./bytes.js";
import {
  append,
  differingPositions,
  emptySequence,
  lineOf,
  replaceAt,
  sequenceOf,
  withoutOldText,
} from "./persistent-list.js";
import type { PersistentList } from "./vector.js";

const filled = (length: number): PersistentList<number> => sequenceOf(Array.from({ length }, (_, index) => index));

describe("a sequence", () => {
  it.each([0, 1, 63, 64, 65, 127, 128, 129, 1024, 1025, 4160, 33_000])("holds %i items in order", (length) => {
    const sequence = filled(length);
    expect(sequence.length).toBe(length);
    expect(sequence.toArray()).toEqual(Array.from({ length }, (_, index) => index));
    for (const position of [0, 63, 64, 127, 128, 1024, length - 1]) {
      expect(sequence.at(position)).toBe(position >= 0 && position < length ? position : undefined);
    }
  });

  it("counts from the end, and has nothing outside", () => {
    const sequence = filled(40);
    expect([sequence.at(-1), sequence.at(-40), sequence.at(-41), sequence.at(40)]).toEqual([
      39,
      0,
      undefined,
      undefined,
    ]);
  });

  it("gives the same frozen array each time", () => {
    const sequence = filled(3);
    expect(sequence.toArray()).toBe(sequence.toArray());
    expect(Object.isFrozen(sequence.toArray())).toBe(true);
    expect(JSON.stringify({ sequence })).toBe('{"sequence":[0,1,2]}');
  });

  it("is deeply equal to another one with the same items, however that was made", () => {
    const base = filled(70);
    expect(sequenceOf([...base])).toEqual(base);
    expect(append(base, 1)).toEqual(append(filled(70), 1));
    expect(append(base, 1)).not.toEqual(append(base, 2));
    expect(emptySequence()).not.toEqual(filled(1));
  });

  it("shares its line with what it grew from, and only with that", () => {
    const base = filled(64);
    const grown = append(base, 1);
    expect(lineOf(grown)).toBe(lineOf(base));
    expect(lineOf(append(base, 2))).not.toBe(lineOf(base));
    expect(lineOf(replaceAt(grown, 0, 9))).not.toBe(lineOf(grown));
  });

  it("stays as it was whatever is made from it, in any order of appending and replacing", () => {
    const step = fc.record({
      from: fc.nat(),
      kind: fc.constantFrom("append", "append many", "replace"),
      value: fc.nat(2000),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const made: { sequence: PersistentList<number>; model: readonly number[] }[] = [
          { sequence: emptySequence(), model: [] },
        ];
        for (const { from, kind, value } of steps) {
          // Mostly the newest, sometimes an older one: that is a fork.
          const base = made[from % 3 === 0 ? from % made.length : made.length - 1];
          if (base === undefined) continue;
          made.push(next(base, kind, value));
        }
        for (const { sequence, model } of made) {
          expect(sequence.length).toBe(model.length);
          expect([...sequence]).toEqual(model);
          for (const position of [0, 63, 64, model.length - 1]) expect(sequence.at(position)).toBe(model[position]);
        }
      }),
    );
  });

  it("tells where two differ, whichever was made from which", () => {
    const lengths = fc.constantFrom(0, 1, 63, 64, 65, 127, 128, 129, 1024, 1025, 2100);
    const changes = fc.array(fc.nat(2200), { maxLength: 4 });
    fc.assert(
      fc.property(lengths, lengths, changes, changes, (shared, more, one, two) => {
        const base = filled(shared);
        const grow = (sequence: PersistentList<number>, count: number, from: number): PersistentList<number> =>
          Array.from({ length: count }, (_, index) => from + index).reduce(append, sequence);
        const put = (
          sequence: PersistentList<number>,
          positions: readonly number[],
          item: number,
        ): PersistentList<number> =>
          positions.reduce(
            (next, position) => (position < next.length ? replaceAt(next, position, item) : next),
            sequence,
          );
        const left = put(grow(base, more, shared), one, -1);
        for (const right of [put(left, two, -2), put(grow(base, 40, shared), two, -2), put(base, two, -2), base]) {
          const differ = (a: PersistentList<number>, b: PersistentList<number>): readonly number[] =>
            [...Array(Math.min(a.length, b.length)).keys()].filter((position) => a.at(position) !== b.at(position));
          expect(differingPositions(left, right)).toEqual(differ(left, right));
          expect(differingPositions(right, left)).toEqual(differ(right, left));
        }
      }),
      { numRuns: 200 },
    );
  });
});

describe("pieces of text", () => {
  type Item = { readonly type: string; readonly [member: string]: unknown };
  const words = fc.oneof(
    { weight: 40, arbitrary: fc.string({ maxLength: 40 }) },
    { weight: 1, arbitrary: fc.nat(9).map((digit) => String(digit).repeat(33_000)) },
  );
  const text = words.map((said): Item => ({ type: "text", text: said }));
  const spoken = text.map((content): Item => ({ type: "content", content }));
  const other: fc.Arbitrary<Item> = fc.constantFrom(
    { type: "text", text: "marked", annotations: { priority: 1 } },
    { type: "image", data: "aGk=", mimeType: "image/png" },
    { type: "content", content: { type: "text", text: "marked", _meta: { by: "me" } } },
    { type: "text", text: 5 },
    { type: "text" },
  );
  const bare = /^(\{"type":"content","content":)?\{"type":"text","text":".*"\}+$/;
  const run = (item: fc.Arbitrary<Item>) => fc.array(item, { maxLength: 150, size: "max" });
  const items = fc
    .array(fc.oneof(run(text), run(spoken), fc.array(other, { maxLength: 2 })), { maxLength: 6 })
    .map((runs) => runs.flat());

  it("read as they came, whatever else stands among them and wherever a list goes on from an older one", () => {
    fc.assert(
      fc.property(items, items, fc.nat(), (came, more, pick) => {
        const made: PersistentList<Item>[] = [emptySequence()];
        for (const item of came) made.push(append(made.at(-1) as PersistentList<Item>, item));
        const at = pick % made.length;
        const fork = more.reduce<PersistentList<Item>>(append, made[at] as PersistentList<Item>);
        expect([...fork]).toEqual([...came.slice(0, at), ...more]);
        expect(bytesOf(fork)).toBe(bytesOf(sequenceOf(fork)));
        const all = made.at(-1) as PersistentList<Item>;
        expect([...all]).toEqual(came);
        expect(came.map((_, index) => all.at(index))).toEqual(came);
        expect([...(made[at] as PersistentList<Item>)]).toEqual(came.slice(0, at));
        expect(came.length === 0 ? all : replaceAt(all, 0, came[0] as Item)).toEqual(all);
        expect(bytesOf(all)).toBe(bytesOf(sequenceOf(came)));
      }),
    );
  });

  it("weigh little in a long message, and nothing less than their text", () => {
    const letters = sequenceOf(Array.from({ length: 64_001 }, () => ({ type: "text", text: "four" })));
    expect(bytesOf(letters) / letters.length).toBeLessThan(20);
    expect(bytesOf(letters)).toBeGreaterThan(letters.length * 2 * "four".length);
  });

  it("go from the oldest where they are too many; all that is no bare text stays, and so do the newest", () => {
    fc.assert(
      fc.property(items, fc.nat(5000), (came, most) => {
        const all = sequenceOf(came);
        const left = withoutOldText(all, most);
        expect(left === all || bytesOf(all) > most).toBe(true);
        // What is left is what came without some; of those that went, each has only bare text.
        const stayed = [...left];
        for (const item of came) {
          if (isDeepStrictEqual(item, stayed[0])) stayed.shift();
          else expect(JSON.stringify(item)).toMatch(bare);
        }
        expect(stayed).toEqual([]);
        expect([...left].slice(-1)).toEqual(came.slice(-1));
        expect(bytesOf(left)).toBe(bytesOf(sequenceOf(left)));
        expect([...all]).toEqual(came);
      }),
    );
  });
});

type Made = { readonly sequence: PersistentList<number>; readonly model: readonly number[] };

function next({ sequence, model }: Made, kind: string, value: number): Made {
  if (kind === "append") return { sequence: append(sequence, value), model: [...model, value] };
  if (kind === "append many") {
    const more = Array.from({ length: value }, (_, index) => index);
    return { sequence: more.reduce((all, one) => append(all, one), sequence), model: [...model, ...more] };
  }
  if (model.length === 0) return { sequence, model };
  const position = value % model.length;
  return { sequence: replaceAt(sequence, position, -value), model: model.with(position, -value) };
}
