import type { MessageEntry } from "@turnkit/session";
import { describe, expect, it } from "vitest";
import { type Line, plainText } from "../../render/line.js";
import { createHighlighter } from "../markdown/highlighter.js";
import { textLines } from "../markdown/markdown-lines.js";
import { createMessageView } from "./message-view.js";

/** Draws a text that arrives in pieces of a size. Returns all lines, and the largest number of unfinished lines. */
function streamed(text: string, size: number, width: number) {
  const view = createMessageView(() => width);
  const lines: string[] = [];
  let open = 0;
  for (let end = size; end < text.length + size; end += size) {
    const content = [{ type: "text", text: text.slice(0, end) }];
    for (let at = 0; at < end; at += size) content[at / size] = { type: "text", text: text.slice(at, at + size) };
    view.update({ content } as unknown as MessageEntry);
    lines.push(...view.take().map(plainText));
    open = Math.max(open, view.shown().length);
  }
  view.end();
  lines.push(...view.take().map(plainText));
  return { lines, open };
}

const whole = (text: string, width: number) => ["", ...textLines(text, width).map(plainText)];

const sentence = "A sentence of **bold words**, `code_of_it`, [a link](https://a.example) and a_snake_name. ";
const texts: Readonly<Record<string, string>> = {
  "a long paragraph": sentence.repeat(8),
  "a paragraph of many lines": "One line of it\nand another line of it\n".repeat(12),
  "a paragraph with an open style": `${"Words before it. ".repeat(8)}and **bold that ends late ${"on and ".repeat(20)}** here`,
  "a paragraph whose rest looks like a list": `${"word ".repeat(15)}${"- 1. # > ".repeat(30)}`,
  "wide characters": "漢字かな交じり文、とても長い段落です。 😀 ".repeat(12),
  "a list": "- one thing\n- another thing that is long enough for two lines\n".repeat(8),
  "a list with empty lines": Array.from({ length: 12 }, (_, n) => `${n + 2}. thing ${n}\n\n`).join(""),
  "a list with numbers": "3. one thing\n1. another thing\n".repeat(8),
  "a list in a list": "- one\n  - inner\n  - inner two\n    text of it\n".repeat(8),
  code: `\`\`\`ts\n${"const value = compute(1);\n\n".repeat(12)}\`\`\``,
  "code with tildes and without an end": `~~~\n${"a b\n".repeat(12)}`,
  quotes: "> quoted\n> text\n".repeat(8),
  "all of it": `# Title\n\n${sentence.repeat(6)}\n\n- a\n- b\n- c\n- d\n\n\`\`\`\na\nb\nc\nd\n\`\`\`\n\n${sentence.repeat(6)}`,
};

describe.each(Object.entries(texts))("defect P11: %s", (_, text) => {
  it.each([
    [1, 30],
    [7, 30],
    [7, 80],
    [64, 50],
  ])("in pieces of %i characters is printed early, and looks the same as in one piece at %i columns", (size, width) => {
    expect(streamed(text, size, width).lines).toEqual(whole(text, width));
  });
});

it.each(["a long paragraph", "a paragraph of many lines", "wide characters", "a list", "code"])(
  "defect P11: of %s only the last lines are open",
  (name) => expect(streamed(texts[name] ?? "", 7, 50).open).toBeLessThanOrEqual(6),
);

it("P16: code that arrives in pieces has the same colours as in one piece", () => {
  const text = `\`\`\`ts\n${"/* a comment\nof two lines */ const a = `text\nof two lines`;\n".repeat(6)}\`\`\``;
  const view = createMessageView(() => 80);
  const content: { type: "text"; text: string }[] = [];
  const lines: Line[] = [];
  for (let at = 0; at < text.length; at += 7) {
    content.push({ type: "text", text: text.slice(at, at + 7) });
    view.update({ content: [...content] } as unknown as MessageEntry);
    lines.push(...view.take());
  }
  view.end();
  lines.push(...view.take());
  expect(lines).toEqual([[], ...textLines(text, 80, { highlighter: createHighlighter() })]);
});
