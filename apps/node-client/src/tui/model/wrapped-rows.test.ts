import { expect, it } from "vitest";
import { moveByRow } from "./wrapped-rows.js";

it("defect P29: Up and Down move between the rows of a wrapped line", () => {
  const text = `ab\n${"x".repeat(25)}\ncd`;
  const at = (cursor: number, direction: "up" | "down") => moveByRow({ text, cursor }, direction, 10).cursor - 3;
  expect([at(3 + 25, "up"), at(3 + 15, "up"), at(3 + 5, "up")]).toEqual([15, 5, 5]);
  expect([at(3 + 5, "down"), at(3 + 15, "down"), at(3 + 25, "down")]).toEqual([15, 25, 25]);
  const emoji = { text: `${"x".repeat(9)}y${"👍".repeat(5)}`, cursor: 14 };
  expect(moveByRow({ text: "👍".repeat(10), cursor: 11 }, "up", 10).cursor).toBe(0);
  expect(moveByRow(emoji, "up", 10).cursor).toBe(4);
  expect(moveByRow({ text: "ab", cursor: 1 }, "up", 10)).toEqual({ text: "ab", cursor: 1 });
});
