import { expect, it } from "vitest";
import { type Line, plainText } from "../../render/line.js";
import { wrap } from "../../render/wrap.js";
import { lettersOf, withoutLetters } from "./letters.js";

const text: Line = [
  "The first words, ",
  ["bold", "some 日本語 in bold"],
  " and 👩‍👩‍👧 the ",
  [["cyan"], "`last words`"],
  ".",
];

it.each([7, 12, 20, 60])("lines of another width go on after the rows of a terminal of %i columns", (columns) => {
  const rows = wrap(text, columns, { at: "width" });
  for (let count = 0; count <= rows.length; count += 1) {
    const { lines, rest } = withoutLetters(wrap(text, 25), lettersOf(rows.slice(0, count)));
    expect(rest).toBe("");
    expect(lettersOf([...rows.slice(0, count), ...lines])).toBe(lettersOf([text]));
    expect(plainText(lines[0] ?? [])).not.toMatch(/^\s/);
  }
});

it("letters beyond the lines are left for later lines", () => {
  expect(withoutLetters([["ab"], []], "abcd")).toEqual({ lines: [], rest: "cd" });
  expect(withoutLetters([["cd ef"]], "cd")).toEqual({ lines: [["ef"]], rest: "" });
});

it("lines with other letters stay whole", () => {
  expect(withoutLetters([["abx"], ["y"]], "abcd")).toEqual({ lines: [["abx"], ["y"]], rest: "" });
});

it("the bars of a quote are no letters", () => {
  expect(withoutLetters([[["dim", "│ "], "a b c"]], lettersOf([["│ a"], ["│ b"]]))).toEqual({
    lines: [["c"]],
    rest: "",
  });
});
