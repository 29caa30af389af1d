import { expect, it } from "vitest";
import { type Reading, readMarkdown } from "./read-markdown.js";

const samples: Readonly<Record<string, string>> = {
  "paragraphs and a heading": "One *two*\nthree\n\n# Four\nfive\n\nsix\n===\n\nseven `eight`\n",
  "lists with blank lines": "- a\n- b\n\n  c\n- d\n\n\n1. e\n2. f\n   - g\n\nh\n\n* i\n\n\n* j\n",
  "code in fences and indents": "```ts\na\n\nb\n```\n\n~~~\nc\n\n    d\n~~~\n\n    e\n\n    f\n\ng\n    h\n",
  tables: "| a | b |\n| - | :-: |\n| 1 | 2 |\n| 3 |\n\nx\n\n| c |\n| - |\n| `d` |\n",
  quotes: "> a\nb\n\n> c\n> > d\n>\n> e\n\nf\n> g\n",
  html: "<div>\na\n\nb</div>\n\n<!-- c\n\nd -->\n\n<pre>\ne\n\nf</pre>\ng\n\n<script>\n\nh\n\ni</script>\n\nj\n",
  "definitions after their use":
    "a [b] and [c][d]\n\ne\n\nf\n\ng\n\nh\n\n[b]: https://b.example\n\n[d]: https://d.example 'x'\n\ni [b]\n",
  "rules and breaks": "a\n***\nb  \nc\\\nd\n\n---\n\n- - -\n\ne\n",
  "returns of carriages": "a\r\n\r\n- b\r\n- c\r\n\r\nd\r\n\r\ne\r\n\r\nf\r\n\r\ng\r\n",
};

it.each(Object.entries(samples))("a text that grows is read like the whole text: %s", (_, sample) => {
  const text = `${sample}\n${sample}`;
  for (const step of [1, 3, 7]) {
    let earlier: Reading | undefined;
    for (let end = 0; end <= text.length; end += step) {
      const now = text.slice(0, end);
      earlier = readMarkdown(now, earlier);
      expect(JSON.stringify(earlier.blocks), now).toBe(JSON.stringify(readMarkdown(now).blocks));
    }
  }
});

it("blocks before the newest ones stay the same objects when a text grows", () => {
  const text = "a paragraph\n\n".repeat(50);
  const before = readMarkdown(text);
  const after = readMarkdown(`${text}more`, before);
  expect(after.blocks?.slice(0, 90)).toEqual(before.blocks?.slice(0, 90));
  expect(after.blocks?.[0]).toBe(before.blocks?.[0]);
  expect(after.blocks?.[88]).toBe(before.blocks?.[88]);
});

it.each([
  ["too many characters", "word ".repeat(10), 12_000],
  ["too many lines", "\n\nx", 2_500],
  ["too many marks", "*a* b ", 4_000],
  ["nested too deeply", `${"- ".repeat(20)}a\n\n`, 20],
])("a text with %s is shown as it stands, also if it grew piece by piece", (_, piece, times) => {
  let earlier: Reading | undefined;
  for (let count = 1; count <= times; count += Math.ceil(times / 40))
    earlier = readMarkdown(piece.repeat(count), earlier);
  expect(readMarkdown(piece.repeat(times), earlier).blocks).toBeUndefined();
});

it("a text that does not begin with the earlier one is read anew", () => {
  const earlier = readMarkdown("a\n\nb\n\nc\n\nd\n\ne\n\nf");
  const text = "x\n\nb\n\nc\n\nd\n\ne\n\nf";
  expect(readMarkdown(text, earlier).blocks).toEqual(readMarkdown(text).blocks);
});
