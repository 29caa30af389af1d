import { describe, expect, it } from "vitest";
import { plainText } from "../../render/line.js";
import { markdownLines, textLines } from "./markdown-lines.js";
import { createMarkdownStream } from "./markdown-stream.js";

const fill = (piece: string, length: number) => piece.repeat(Math.ceil(length / piece.length)).slice(0, length);
const stairs = (mark: string, depth: number, text = "a") =>
  Array.from({ length: depth }, (_, level) => `${" ".repeat(level * mark.length)}${mark}${text}\n`).join("");

/** Returns the lines of a text that arrives in pieces, and is drawn after each piece. */
function streamed(text: string, size: number): readonly string[] {
  const stream = createMarkdownStream();
  const lines: string[] = [];
  for (let at = 0; at < text.length; at += size) {
    lines.push(...markdownLines(stream.write(text.slice(at, at + size)), 80).map(plainText));
    markdownLines(stream.open(), 80);
  }
  return [...lines, ...markdownLines(stream.end(), 80).map(plainText)];
}

const pieces: readonly string[] = [
  ...["1. ", "> - ", "> 1. ", "- > ", "> 1. - > ", "1)\t", ">\t-\t", "- + * ", "1. > a\n"],
  ...[`${"> - ".repeat(6)}a\nb\n`, `${"1. ".repeat(12)}a\n`, stairs("- ", 40), stairs("1. ", 40), stairs("- ", 40, "")],
];

/** CPU time of a call in milliseconds. Other work on the machine does not count. */
function cpuTime(run: () => unknown): number {
  const before = process.cpuUsage();
  run();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

describe("defect S9: nested lists and quotes do not freeze the screen", () => {
  it.each(pieces)("%j, 256 KiB in one message, and 100 KB in 4 KB pieces", (piece) => {
    // It took seconds; the rest of the time is for a loaded machine.
    expect(cpuTime(() => textLines(fill(piece, 262_144), 80))).toBeLessThan(1000);
    expect(cpuTime(() => streamed(fill(piece, 100_000), 4096))).toBeLessThan(1000);
  });

  it.each(pieces)("%j, nothing that the agent wrote is hidden", (piece) => {
    const words = Array.from({ length: 400 }, (_, n) => `${piece.replace(/\n$/, "")} word${n}\n`);
    for (const size of [words.join("").length, 50]) {
      const found = streamed(words.join(""), size)
        .join("")
        .replace(/[\s│]/g, "")
        .match(/word\d+/g);
      expect(new Set(found).size).toBe(400);
    }
  });

  it("a line with more than 12 marks is shown as it was written", () => {
    for (const mark of ["1. ", "> ", "- > "]) {
      const text = `${mark.repeat(13)}end`;
      expect(textLines(text, 80).map(plainText)).toEqual([text]);
    }
    const deep = stairs("- ", 14);
    expect(textLines(deep, 80).map(plainText).join("\n")).toBe(deep.trimEnd());
  });

  it("lists and quotes of 12 levels, a rule, and quoted lists are still formatted", () => {
    const shown = (text: string) => textLines(text, 80).map(plainText);
    expect(shown(stairs("* ", 12)).at(-1)).toBe(`${" ".repeat(22)}- a`);
    expect(shown(`${"> ".repeat(12)}a`)).toEqual([`${"│ ".repeat(12)}a`]);
    expect(shown("- ".repeat(20))).toEqual(["─".repeat(40)]);
    expect(shown("> - > a")).toEqual(["│ - │ a"]);
  });

  it("a long answer in small pieces keeps its formats, and one of too much work ends as source text behind a notice", () => {
    const answer = Array.from({ length: 200 }, (_, n) => `- item *${n}*\n  - part\n\nA line of text.\n\n`).join("");
    expect(streamed(answer, 4).join("\n")).not.toMatch(/\*|without formatting/);
    const lines = streamed(fill(`${"1. ".repeat(6)}a\n`, 20_000), 4);
    expect(lines.filter((line) => line.includes("without formatting"))).toHaveLength(1);
  });
});
