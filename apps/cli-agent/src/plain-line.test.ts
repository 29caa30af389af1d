import { expect, it } from "vitest";
import { plainLine } from "./plain-line.js";

it.each([
  ["ends of lines", "a\nb\u2028c", "a�b�c"],
  ["sequences of terminals", "\u001b[2Ja\u009b", "�[2Ja�"],
  ["marks of direction and other invisible characters", "a\u202eb\u200bc\ufeff", "a�b�c�"],
  ["halves of characters", "a\ud800", "a�"],
  ["nothing else", "Größe 日本語 😀 a b", "Größe 日本語 😀 a b"],
])("%s are replaced", (_, text, line) => {
  expect(plainLine(text, 100)).toBe(line);
});

it("a long text is cut between characters", () => {
  expect(plainLine("😀".repeat(5), 5)).toBe("😀😀😀😀😀");
  expect(plainLine("😀".repeat(6), 5)).toBe("😀😀😀😀😀…");
  expect(plainLine("a\nb", 100, " ")).toBe("a b");
});
