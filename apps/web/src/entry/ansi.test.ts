import { describe, expect, it } from "vitest";
import { readAnsi } from "./ansi.js";

const plain = (text: string) =>
  readAnsi(text)
    .map((piece) => piece.text)
    .join("");

describe("the output of a terminal", () => {
  it.each([
    ["\u001b[31mred\u001b[0m end", "red end"],
    ["\u001b]0;title\u0007text", "text"],
    ["\u001b]8;;https://evil.example\u001b\\link\u001b]8;;\u001b\\", "link"],
    ["\u001b]52;c;Y29weQ==\u0007x", "x"],
    ["\u001b[2J\u001b[1;1Hhome\u001b(B", "home"],
    ["10 %\r50 %\r100 %\nnext", "100 %\nnext"],
    ["line\r\nline", "line\nline"],
    ["a\u0000b\u0008c\u009b", "abc"],
    ["\u001b]0;never ended", ""],
  ])("%j is shown as %j", (output, shown) => {
    expect(plain(output)).toBe(shown);
  });

  it("colours and simple styles become classes, and only those", () => {
    expect(readAnsi("\u001b[1;32mok\u001b[22;39m \u001b[38;5;200mx\u001b[0m\u001b[91mbad\u001b[0m.")).toEqual([
      { text: "ok", style: "ansi-bold ansi-fg-green" },
      { text: " ", style: "" },
      { text: "x", style: "" },
      { text: "bad", style: "ansi-fg-red" },
      { text: ".", style: "" },
    ]);
  });
});
