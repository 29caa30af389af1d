import { expect, it } from "vitest";
import { highlight } from "./highlight.js";

it.each([
  ["ts", "export const a = 'b'; // c", { keyword: "export", string: "'b'", comment: "// c" }],
  ["python", "def f():\n  return 1", { keyword: "def", number: "1" }],
  ["html", "<p class='a'>b</p>", { tag: "p" }],
  ["diff", "+ a\n- b", { inserted: "+ a" }],
])("code in %s has its colours, and no character is lost", async (language, code, wanted) => {
  const pieces = (await highlight(code, language)) ?? [];
  expect(pieces.map(({ text }) => text).join("")).toBe(code);
  for (const [kind, text] of Object.entries(wanted)) {
    expect(pieces.filter((piece) => piece.kind === kind).map((piece) => piece.text)).toContain(text);
  }
});

it.each([
  ["a language that nobody knows", "a", "elvish"],
  ["a name of Object.prototype", "a", "constructor"],
  ["long code", "a\n".repeat(20_000), "ts"],
  ["a long line", "a".repeat(600), "ts"],
])("%s has no colours", async (_, code, language) => {
  expect(await highlight(code, language)).toBeUndefined();
});
