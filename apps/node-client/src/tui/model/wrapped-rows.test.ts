import { expect, it } from "vitest";
import { moveByRow, placeIn, rowsOf } from "./wrapped-rows.js";

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

it("defect P45: a line is wrapped at words, and every character stays in a row", () => {
  expect(rowsOf("one two three", 8)).toEqual(["one two ", "three"]);
  expect(rowsOf("one two   three", 7)).toEqual(["one two ", "  three"]);
  expect(rowsOf("a longwordlongword b", 8)).toEqual(["a ", "longword", "longword ", "b"]);
  expect(rowsOf("", 8)).toEqual([""]);
  expect(rowsOf("👍👍 👍👍👍", 5)).toEqual(["👍👍 ", "👍👍", "👍"]);
  const text = "the quick  brown fox \u00a0 jumps overthelazydogwithoutablank 👨‍👩‍👧 x".repeat(20);
  for (const width of [1, 2, 7, 40]) expect(rowsOf(text, width).join("")).toBe(text);
});

it("defect P45: the cursor before a wrapped word is in the word's row", () => {
  const rows = rowsOf("one two three", 8);
  expect([placeIn(rows, 7), placeIn(rows, 8), placeIn(rows, 13)]).toEqual([
    { row: 0, offset: 7 },
    { row: 1, offset: 0 },
    { row: 1, offset: 5 },
  ]);
  const input = { text: "one two three", cursor: 13 };
  expect(moveByRow(input, "up", 8).cursor).toBe(5);
  expect(moveByRow({ ...input, cursor: 7 }, "down", 8).cursor).toBe(13);
});
