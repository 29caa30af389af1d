import { expect, it } from "vitest";
import {
  addFold,
  type Fold,
  type Folds,
  foldsIn,
  isLongPaste,
  labelled,
  shownInput,
  unfolded,
  withoutMarks,
} from "./folds.js";

const none: Folds = new Map();

function folded(...all: readonly Fold[]) {
  let folds = none;
  let marks = "";
  for (const fold of all) {
    const added = addFold(folds, fold);
    if (added === undefined) throw new Error("too many");
    folds = added.folds;
    marks += added.mark;
  }
  return { folds, marks };
}

it("P9: a fold is shown by its label and gives its content back", () => {
  const paste: Fold = { type: "paste", text: "a\n".repeat(119) };
  const image: Fold = { type: "image", path: "/w/cat.png", name: "cat.png" };
  const output: Fold = { type: "output", command: "git status", text: "clean" };
  const { folds, marks } = folded(paste, image, output);
  const text = `see ${marks} !`;
  expect(labelled(text, folds)).toBe("see [pasted 120 lines][image cat.png][output of git status] !");
  expect(unfolded(text, folds)).toBe(`see ${paste.text}/w/cat.png[output of git status] !`);
  expect(foldsIn(text, folds)).toEqual([paste, image, output]);
  expect(shownInput({ text, cursor: 6 }, folds).cursor).toBe("see [pasted 120 lines]".length);
});

it("a paste is long by its lines or by its characters", () => {
  expect([isLongPaste("a\n".repeat(9)), isLongPaste("a\n".repeat(10)), isLongPaste("x".repeat(2001))]).toEqual([
    ...[false, true, true],
  ]);
});

it("pasted characters cannot pose as a fold, and folds are bounded", () => {
  const { folds, marks } = folded({ type: "paste", text: "secret" });
  expect(withoutMarks(`a${marks}b`)).toBe("a\ufffdb");
  expect(labelled("\u{10f009}", folds)).toBe("\ufffd");
  expect(addFold(folds, { type: "paste", text: "x".repeat(4 * 1024 * 1024) })).toBeUndefined();
});
