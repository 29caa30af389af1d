import { describe, expect, it } from "vitest";
import { createPage, type Page } from "./page.js";
import { createPaint } from "./style.js";

function draw(work: (page: Page) => void, colours = false): string {
  let drawn = "";
  const page = createPage((text) => {
    drawn += text;
  }, createPaint(colours));
  work(page);
  return drawn;
}

describe("flow", () => {
  it("runs on, and recognises sequences that are cut by a border between pieces", () => {
    const pieces = ["a\u001b", "[3", "1mb\u001b]52;c;", "eA==", "\u0007c"];
    const drawn = draw((page) => {
      for (const piece of pieces) page.flow("m", "plain", piece);
    });
    expect(drawn).toBe("abc");
  });

  it("ends its line before anything else", () => {
    expect(
      draw((page) => {
        page.flow("1", "plain", "a");
        page.flow("2", "plain", "b");
        page.line("c");
        page.flow("2", "plain", "d\n");
        page.block("e");
      }),
    ).toBe("a\nb\nc\nd\n  e\n");
  });

  it("does not let an unfinished sequence of one message swallow the next", () => {
    expect(
      draw((page) => {
        page.flow("1", "plain", "a\u001b]0;");
        page.flow("2", "plain", "b");
      }),
    ).toBe("a\nb");
  });

  it("closes a colour before a line break", () => {
    expect(draw((page) => page.flow("1", "dim", "a\nb"), true)).toBe("\u001b[2ma\u001b[22m\n\u001b[2mb\u001b[22m");
  });
});

describe("line", () => {
  it("is one line, whatever the text", () => {
    expect(draw((page) => page.line("Read a\n✓ done", ["red", "\u001b[2J"]))).toBe("Read a␊✓ done␛[2J\n");
  });

  it("is bounded", () => {
    expect(draw((page) => page.line("x".repeat(5000)))).toBe(`${"x".repeat(1000)}…\n`);
  });
});

describe("block", () => {
  it("keeps spaces at the end of a line, which a diff may be about", () => {
    expect(draw((page) => page.block("+a  \n\n+b\n", { gutter: "| " }))).toBe("| +a  \n|\n| +b\n");
  });

  it("is bounded", () => {
    expect(draw((page) => page.block("1\n2\n3", { limit: 2 }))).toBe("  1\n  2\n  … 1 more line\n");
  });

  it("shows or drops escape sequences", () => {
    expect(draw((page) => page.block("a\u001b[1mb"))).toBe("  ab\n");
    expect(draw((page) => page.block("a\u001b[1mb", { sequences: "show" }))).toBe("  a␛[1mb\n");
  });
});

it("section leaves an empty line where the subject changes, not at the start", () => {
  expect(
    draw((page) => {
      page.section("a");
      page.flow("m", "plain", "1");
      page.section("a");
      page.flow("m", "plain", "2");
      page.section("b");
      page.line("3");
    }),
  ).toBe("12\n\n3\n");
});

it("section does not add to an empty line that prose ended with", () => {
  const after = (...pieces: string[]) =>
    draw((page) => {
      page.section("a");
      for (const piece of pieces) page.flow("m", "plain", piece);
      page.section("b");
      page.line("2");
    });
  expect(after("1\n\n")).toBe("1\n\n2\n");
  expect(after("1\n", "\n")).toBe("1\n\n2\n");
  expect(after("1", "\n")).toBe("1\n\n2\n");
});
