import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { changedLines } from "./line-diff.js";

const lines = (text: string) => text.split("");

/** Puts the new lines of each change in the place of the old ones. */
function apply(before: readonly string[], after: readonly string[]): readonly string[] {
  const result: string[] = [];
  let kept = 0;
  for (const { oldStart, oldEnd, newStart, newEnd } of changedLines(before, after)) {
    result.push(...before.slice(kept, oldStart), ...after.slice(newStart, newEnd));
    kept = oldEnd;
  }
  return [...result, ...before.slice(kept)];
}

describe("what differs between two lists of lines", () => {
  it("is as little as possible, each stretch on its own", () => {
    expect(changedLines(lines("abcdefg"), lines("aXcdefY"))).toEqual([
      { oldStart: 1, oldEnd: 2, newStart: 1, newEnd: 2 },
      { oldStart: 6, oldEnd: 7, newStart: 6, newEnd: 7 },
    ]);
    expect(changedLines(lines("abc"), lines("abc"))).toEqual([]);
    expect(changedLines([], lines("ab"))).toEqual([{ oldStart: 0, oldEnd: 0, newStart: 0, newEnd: 2 }]);
    expect(changedLines(lines("ab"), [])).toEqual([{ oldStart: 0, oldEnd: 2, newStart: 0, newEnd: 0 }]);
  });

  it("makes the new lines out of the old ones, whatever they are", () => {
    const some = fc.array(fc.constantFrom("a", "b", "c", "d"), { maxLength: 40 });
    fc.assert(
      fc.property(some, some, (before, after) => {
        expect(apply(before, after)).toEqual(after);
      }),
      { numRuns: 2_000 },
    );
  });

  it("is one stretch where too much differs to look closer", () => {
    const before = Array.from({ length: 2_000 }, (_, index) => `old ${index}`);
    const after = Array.from({ length: 2_000 }, (_, index) => (index === 1_000 ? "old 1000" : `new ${index}`));
    expect(changedLines(before, after)).toEqual([{ oldStart: 0, oldEnd: 2_000, newStart: 0, newEnd: 2_000 }]);
  });

  it("is one stretch where a comparison would take too long", () => {
    const same = Array.from({ length: 100_000 }, () => "same");
    const file = (mark: string) => [mark, ...same, ...Array.from({ length: 300 }, (_, at) => `${mark}${at}`)];
    const whole = { oldStart: 0, oldEnd: 100_301, newStart: 0, newEnd: 100_301 };
    expect(changedLines(file("old"), file("new"))).toEqual([whole]);
  });
});
