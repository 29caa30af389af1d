import { createTwoFilesPatch, FILE_HEADERS_ONLY } from "diff";
import { expect, it } from "vitest";
import { hunksBetween } from "./line-patch.js";

/** Returns a function that returns the same whole numbers below a bound in each run. */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor(state / 65_536) % below;
  };
}

const bound = { maxEditLength: 1_000 };
const words = ["a", "b", "", "x", "\\ No newline at end of file", "--- a", "@@", "a\r", "\t"];

it("writes the same hunks as the package for patches, for any two texts", () => {
  const next = numbers(17);
  const text = () => Array.from({ length: 1 + next(30) }, () => words[next(words.length)]).join("\n");
  const edited = (from: string) => {
    const lines = from.split("\n");
    for (let edits = 1 + next(4); edits > 0; edits--)
      lines.splice(next(lines.length + 1), next(3), ...text().split("\n").slice(0, next(3)));
    return lines.join("\n");
  };
  for (let pair = 0; pair < 2_000; pair++) {
    const before = `${text()}${next(3) === 0 ? "" : "\n"}`;
    const after = next(4) === 0 ? text() : edited(before);
    if (before === after || before === "" || after === "") continue;
    const patch = createTwoFilesPatch("a", "b", before, after, undefined, undefined, {
      context: 3,
      headerOptions: FILE_HEADERS_ONLY,
    });
    expect(`--- a\n+++ b\n${hunksBetween(before, after, bound)}`).toBe(patch);
  }
});

it("returns nothing if the texts differ more than the bound", () => {
  expect(hunksBetween("a\nb\nc\n", "x\ny\nz\n", { maxEditLength: 5 })).toBeUndefined();
});
