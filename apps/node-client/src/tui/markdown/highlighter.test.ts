import { describe, expect, it } from "vitest";
import { plainText, type Span } from "../../render/line.js";
import { lineWidth } from "../../render/wrap.js";
import { createHighlighter } from "./highlighter.js";
import { languageOf } from "./language-modes.js";
import { textLines } from "./markdown-lines.js";

const lines = (text: string, info: string) => createHighlighter().lines(text, info, false);
const styleAt = (line: readonly Span[] | undefined, text: string) =>
  line?.find((span) => typeof span !== "string" && span[1].includes(text))?.[0];

describe("P16: colours of code", () => {
  it.each([
    ["ts", 'const a = "b"; // c', { const: "magenta", '"b"': "green", "// c": "dim" }],
    ["python", "def f(x): return 12 # c", { def: "magenta", "12": "yellow", "# c": "dim" }],
    ["rust", "fn main() { let a = 1; }", { fn: "magenta", "1": "yellow" }],
    ["sh", "if test; then echo 'a'; fi", { if: "magenta", "'a'": "green" }],
    ["diff", "+new\n-old", { "+new": "green" }],
    ["html", '<a href="b">c</a>', { a: "magenta", '"b"': "green" }],
  ])("%s", (info, text, wanted) => {
    const [line] = lines(text, info) ?? [];
    expect(Object.fromEntries(Object.keys(wanted).map((one) => [one, styleAt(line, one)]))).toEqual(wanted);
  });

  it("no character is lost or changed, and no visible character is split between two colours", () => {
    const text = 'a = "👨‍👩‍👧é漢字" + é́1\u0301; // ☕️\n\n\tconst 漢字 = 1️⃣';
    for (const info of [
      "ts",
      "py",
      "c",
      "rust",
      "go",
      "sh",
      "css",
      "html",
      "sql",
      "rb",
      "toml",
      "lua",
      "swift",
      "ini",
    ]) {
      const found = lines(text, info) ?? [];
      expect(found.map((line) => line.map((span) => (typeof span === "string" ? span : span[1])).join(""))).toEqual(
        text.split("\n"),
      );
      for (const line of found) expect(lineWidth(line)).toBe(lineWidth([plainText(line)]));
    }
  });

  it("the rest of a block continues a comment that its beginning has opened", () => {
    const highlighter = createHighlighter();
    highlighter.lines("/* one", "ts", false);
    expect(highlighter.lines("two */ const", "ts", true)).toEqual([
      [
        ["dim", "two */"],
        ["plain", " "],
        ["magenta", "const"],
      ],
    ]);
    expect(highlighter.lines("two", "ts", false)).toEqual([[["plain", "two"]]]);
  });

  it("finds the language by a name or a file, and shows other code in one colour", () => {
    expect([["ts"], ["TS title=a"], ["src/a.py"], ["c++"], ["js{1,2}"]].map(([info]) => languageOf(info))).toEqual([
      ...["ts", "ts", "py", "c++", "js"],
    ]);
    for (const info of ["", undefined, "toString", "__proto__", "yaml", "mermaid"])
      expect(languageOf(info)).toBeUndefined();
    expect(textLines("```\na\n```", 20)).toEqual([["  ", ["cyan", "a"]]]);
  });
});

it("a hostile text that makes a parser slow loses its colours, and nothing else", () => {
  const text = `${"${".repeat(200)}\n`.repeat(2000);
  const highlighter = createHighlighter();
  const start = process.cpuUsage();
  const found = highlighter.lines(text, "ts", false) ?? [];
  const { user, system } = process.cpuUsage(start);
  expect((user + system) / 1000).toBeLessThan(1500);
  expect(found.map(plainText).join("\n")).toBe(text);
  expect(highlighter.lines("const a", "ts", false)).toBeUndefined();
});

it.each(["\r", "\u2028", "\u2029"])(
  "a block with %j inside of its lines ends, and keeps its text and colours",
  (end) => {
    const text = `a = "b${end}c" # d${end}\n${end}e = '''f${end}\n${end}`;
    const infos = "toml ts py c rust go sh css html sql rb lua swift ini diff dockerfile json".split(" ");
    for (const info of infos) {
      const found = lines(text, info) ?? [];
      const read = found.map((line) => line.map((span) => (typeof span === "string" ? span : span[1])).join(""));
      expect(read).toEqual(text.split("\n"));
    }
    expect(styleAt(lines(text, "toml")?.[0], "# d")).toBe("dim");
  },
);
