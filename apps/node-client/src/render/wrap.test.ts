import { describe, expect, it } from "vitest";
import { type Line, paintLine, plainText } from "./line.js";
import { createPaint } from "./style.js";
import { clip, lineWidth, widthOf, wrap, wrapText } from "./wrap.js";

const shown = (lines: readonly Line[]) => lines.map(plainText);

describe("breaking lines", () => {
  it("breaks between words, and a word only where it is longer than the screen", () => {
    expect(shown(wrap(["one two three"], 7))).toEqual(["one two", "three"]);
    expect(shown(wrap(["ab ", ["bold", "cd"], "ef gh"], 5))).toEqual(["ab", "cdef", "gh"]);
    expect(shown(wrap(["abcdefgh ij"], 3))).toEqual(["abc", "def", "gh", "ij"]);
  });

  it("breaks code wherever the width ends, and keeps its blanks", () => {
    expect(shown(wrap(["  a b  c"], 4, { at: "width" }))).toEqual(["  a ", "b  c"]);
  });

  it("counts columns, not characters, and splits nothing that is seen as one", () => {
    const family = "👨‍👩‍👧";
    for (const line of wrap([`日本語テキスト${family}é`], 5, { at: "width" }))
      expect(lineWidth(line)).toBeLessThanOrEqual(5);
    expect(shown(wrap([`ab${family}`], 3, { at: "width" }))).toEqual(["ab", family]);
    expect(plainText(clip(["日本語"], 5))).toBe("日本…");
  });

  it.each([
    [0, ["\u200b", "\u0301", "\u00ad", "\u2060", "\ufe0f"]],
    [1, ["a", "é", "─", "❯", "…", "●", "©", "™", "↔", "✔", "☺", "क"]],
    [2, ["漢", "ᄀ", "Ａ", "😀", "⌚", "🦀", "❤️", "1️⃣", "🇩🇪", "👩‍👩‍👧"]],
  ])("gives a character the %i columns that it has on a terminal", (width, characters) => {
    expect(characters.filter((one) => widthOf(one) !== width)).toEqual([]);
  });

  it("defect S9: a text without breaks and a text of wide characters keep their width", () => {
    for (const char of ["ᄀ", "漢", "😀", "🇩🇪", "1️⃣", "❤️", "é", "a", "क्"]) {
      const lines = wrap([char.repeat(3000)], 20, { at: "width" });
      expect(lines.map(plainText).join("")).toBe(char.repeat(3000));
      for (const line of lines) expect(lineWidth(line)).toBeLessThanOrEqual(20);
    }
  });

  it("defect P20: leads of different widths keep all lines within the width, and words whole", () => {
    const lead = { first: ["> "], rest: ["     "] };
    expect(shown(wrap(["1) allow this session"], 14, lead))).toEqual(["> 1) allow", "     this", "     session"]);
    expect(shown(wrap(["abcdefghij"], 7, { ...lead, at: "width" }))).toEqual([
      "> abcde",
      "     fg",
      "     hi",
      "     j",
    ]);
    expect(shown(wrap(["one two three"], 7, { rest: ["  "] }))).toEqual(["one two", "  three"]);
    expect(shown(wrap(["日本語"], 5, lead))).toEqual(["> 日", "     本", "     語"]);
  });

  it("puts a lead before the first line and another before the rest, within the width", () => {
    expect(shown(wrapText("one two\nthree", 6, { first: ["> "], rest: [". "] }))).toEqual([
      "> one",
      ". two",
      ". thre",
      ". e",
    ]);
  });
});

it("what goes to the screen holds no control character but those of the styles", () => {
  const evil: Line = [["red", "a\u001b]52;c;x\u0007\u202eb\nc\td"], "\u2061\u009b2J"];
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  expect(paintLine(evil, createPaint(false))).not.toMatch(/[\x00-\x1f\x7f-\x9f\u202e\u2061]/);
  expect(paintLine([["red", "a"]], createPaint(true))).toBe("\u001b[31ma\u001b[39m");
});
