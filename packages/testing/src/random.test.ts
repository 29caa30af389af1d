import { expect, it } from "vitest";
import { createRandom } from "./random.js";

const draw = (seed: number) => {
  const random = createRandom(seed);
  return Array.from({ length: 50 }, () => random.below(1_000));
};

it("the same seed draws the same numbers, another seed others", () => {
  expect(draw(7)).toEqual(draw(7));
  expect(draw(7)).not.toEqual(draw(8));
  expect(draw(-1)).not.toEqual(draw(0));
});

it("numbers stay below their limit and reach all of it", () => {
  const random = createRandom(1);
  const seen = new Set(Array.from({ length: 1_000 }, () => random.below(5)));
  expect([...seen].sort()).toEqual([0, 1, 2, 3, 4]);
  expect(random.pick(["only"])).toBe("only");
});

it("a chance comes true about as often as it says", () => {
  const random = createRandom(3);
  const count = Array.from({ length: 10_000 }, () => random.chance(0.25)).filter(Boolean).length;
  expect(count).toBeGreaterThan(2_300);
  expect(count).toBeLessThan(2_700);
  expect(random.chance(0)).toBe(false);
  expect(random.chance(1)).toBe(true);
});
