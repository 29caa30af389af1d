import { describe, expect, it } from "vitest";
import { plainText } from "../../render/line.js";
import { textLines } from "./markdown-lines.js";

const shown = (text: string, width: number) => textLines(text, width).map(plainText);

describe("defect S9: a table that is wider than the screen", () => {
  it("shows its headings although it has no rows", () => {
    const text = shown("| first heading | second heading |\n| --- | --- |\n", 12).join(" ");
    expect(text).toContain("first");
    expect(text).toContain("second");
  });

  it("has its headings whole in the first row, and in short in the others", () => {
    const heading = "h".repeat(200);
    const lines = shown(`| ${heading} |\n| --- |\n| one |\n| two |\n`, 20);
    const text = lines.join("");
    expect(text.match(/h/g)?.length).toBeLessThan(2 * heading.length);
    expect(text.match(/h/g)?.length).toBeGreaterThanOrEqual(heading.length);
    for (const cell of ["one", "two"]) expect(text).toContain(cell);
  });
});
