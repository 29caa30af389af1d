import { describe, expect, it } from "vitest";
import { plainText } from "../../render/line.js";
import { markdownLines, textLines } from "./markdown-lines.js";
import { createMarkdownStream } from "./markdown-stream.js";

const shown = (text: string, width = 40) => textLines(text, width).map(plainText);

/** Returns the lines of a text in pieces: the finished ones after each piece, then the rest. */
function streamed(pieces: readonly string[], width = 40) {
  const stream = createMarkdownStream();
  const finished = pieces.map((piece) => markdownLines(stream.write(piece), width).map(plainText));
  return { finished, rest: markdownLines(stream.end(), width).map(plainText) };
}

describe("a stream of Markdown", () => {
  it("finishes a block when the next one begins, and keeps only the last one open", () => {
    const { finished, rest } = streamed(["# Ti", "tle\n", "One ", "two.\n\n", "```ts\nlet a", " = 1;\n```\n", "End"]);
    expect(finished).toEqual([[], [], ["", "# Title"], ["", "One two."], [], [], ["", "  ts", "  let a = 1;"]]);
    expect(rest).toEqual(["", "End"]);
  });

  it("goes on with a list after an empty line", () => {
    const { finished, rest } = streamed(["1. a\n\n", "2. b\n\n", "Then"]);
    expect(finished.flat()).toEqual(["", "1. a", "", "2. b"]);
    expect(rest).toEqual(["", "Then"]);
  });

  it("shows the same in whatever pieces the text comes", () => {
    const text =
      "# A\n\nOne **two** three\nfour\n\n- a\n  - b\n\n> quoted\n\n| x | y |\n|---|--:|\n| 1 | 22 |\n\nEnd `x`";
    const whole = ["", ...shown(text)];
    for (const size of [1, 2, 3, 7, 50]) {
      const pieces = text.match(new RegExp(`[\\s\\S]{1,${size}}`, "g")) ?? [];
      const { finished, rest } = streamed(pieces);
      expect([...finished.flat(), ...rest]).toEqual(whole);
    }
  });

  it("cuts a block that does not end, code as code, so that a frame never reads much", () => {
    const stream = createMarkdownStream();
    const lines: string[] = [];
    for (let n = 0; n < 2000; n += 1) {
      lines.push(...markdownLines(stream.write(n === 0 ? "```\nline 0\n" : `line ${n}\n`), 40).map(plainText));
      const open = stream.open().reduce((sum, { token }) => sum + token.raw.length, 0);
      expect(open).toBeLessThan(5000);
    }
    lines.push(...markdownLines(stream.end(), 40).map(plainText));
    expect(lines).toEqual(["", ...Array.from({ length: 2000 }, (_, n) => `  line ${n}`)]);
  });

  it("cuts a long table into tables", () => {
    const rows = Array.from({ length: 300 }, (_, n) => `| row ${n} | ${n} |\n`);
    const { finished, rest } = streamed(["| a | b |\n|---|---|\n", ...rows]);
    const lines = [...finished.flat(), ...rest];
    expect(lines.filter((line) => line.startsWith("row "))).toHaveLength(300);
    expect(lines.filter((line) => line.includes("|"))).toEqual([]);
  });

  it("cuts a paragraph without any break too, and loses nothing", () => {
    const { finished, rest } = streamed([`${"word ".repeat(3000)}`, "x".repeat(9000)], 80);
    expect([...finished.flat(), ...rest].join("").replaceAll(" ", "")).toBe("word".repeat(3000) + "x".repeat(9000));
  });
});

describe("Markdown on the screen", () => {
  it("shows where links and pictures lead", () => {
    expect(
      shown("See [the docs](https://a.example/x), <https://b.example> and ![pic](https://c.example/p.png).", 200),
    ).toEqual(["See the docs (https://a.example/x), https://b.example and ![pic](https://c.example/p.png)."]);
    expect(shown("[safe](https://evil.example)\n\n[ref]: https://evil.example")).toEqual([
      "safe (https://evil.example)",
      "",
      "[ref]: https://evil.example",
    ]);
  });

  it("draws a table in columns, or row by row where there is no room", () => {
    const table = "| Name | Count |\n|---|--:|\n| alpha | 1 |\n| b | 22 |";
    expect(shown(table)).toEqual(["Name  │ Count", "──────┼──────", "alpha │     1", "b     │    22"]);
    expect(shown(table, 12)).toEqual(["Name: alpha", "Count: 1", "", "Name: b", "Count: 22"]);
  });

  it("keeps HTML, nested lists and tasks readable", () => {
    expect(shown("<b onclick=x>hi</b>\n\n- [x] done\n- [ ] open\n  1. one")).toEqual([
      "<b onclick=x>hi</b>",
      "",
      "- [x] done",
      "- [ ] open",
      "  1. one",
    ]);
  });

  it("survives Markdown that is made to hurt", () => {
    for (const hostile of [
      ">".repeat(20_000),
      "[".repeat(4000),
      "*_".repeat(3000),
      "- ".repeat(3000),
      "*a _b ".repeat(20_000),
    ]) {
      expect(shown(hostile).length).toBeGreaterThan(0);
    }
  });
});

describe("defect S9: hostile Markdown does not freeze the screen", () => {
  it.each([
    "[a](",
    "![[](",
    "![](",
    "*a _b ",
    "`",
    "<a ",
    "|a|b|\n",
    "[",
    "> ",
    "- ",
    "**",
    "~~a",
    "[a][",
    "a\n",
    "http://a.",
  ])("%j, 64 KiB of it", (piece) => {
    const text = piece.repeat(65_536 / piece.length);
    const began = process.cpuUsage().user / 1000;
    const lines = shown(text, 80);
    // It took from seconds to minutes; the rest of the time is for a loaded machine.
    expect(process.cpuUsage().user / 1000 - began).toBeLessThan(1000);
    expect(lines.length).toBeGreaterThan(0);
  });

  it("the rest of a message with very many lines is shown as source text behind a notice, and nothing is lost", () => {
    const lines = shown(Array.from({ length: 5000 }, (_, n) => `- *item ${n}*\n`).join(""), 80);
    const notice = lines.findIndex((line) => line.includes("without formatting"));
    expect(notice).toBeGreaterThan(2000);
    const found = lines
      .join("\n")
      .match(/item \d+/g)
      ?.map((item) => Number(item.slice(5)));
    expect(found).toEqual(Array.from({ length: 5000 }, (_, n) => n));
    expect(lines.at(-1)).toBe("- *item 4999*");
  });

  it("a table with very many columns, and a fence with a very long name, are shown as source text", () => {
    const wide = `|${"a|".repeat(700)}\n|${"-|".repeat(700)}\n${"b\n".repeat(700)}`;
    expect(shown(wide, 80).join("").split("a").length - 1).toBe(700);
    const fence = `\`\`\`${"x".repeat(2900)}\n${"line\n".repeat(2000)}`;
    expect(shown(fence, 80).filter((line) => line.trim() === "line")).toHaveLength(2000);
  });

  it("and ordinary links stay links", () => {
    const links = Array.from({ length: 40 }, (_, n) => `[${n}](https://a.example/${n})`).join(" ");
    expect(shown(links, 2000)[0]).toContain("39 (https://a.example/39)");
  });
});
