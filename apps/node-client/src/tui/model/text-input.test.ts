import { expect, it } from "vitest";
import type { Key } from "./key.js";
import { edit, emptyInput, inputOf, type TextInput } from "./text-input.js";

/** Returns a text after keys, with the cursor as `|`. */
function typed(input: TextInput, ...keys: readonly (Key["name"] | string)[]): string {
  let now = input;
  for (const key of keys) now = edit(now, keyOf(key));
  return `${now.text.slice(0, now.cursor)}|${now.text.slice(now.cursor)}`;
}

function keyOf(word: string): Key {
  if (word.startsWith("'")) return { name: "text", text: word.slice(1) };
  if (word.startsWith("^")) return { name: "ctrl", letter: word.slice(1) };
  return { name: word } as Key;
}

it("moves and deletes by what is seen as one character, by words and by lines", () => {
  expect(typed(emptyInput, "'héllo 👨‍👩‍👧", "backspace", "left", "'!")).toBe("héllo!| ");
  expect(typed(inputOf("one two  three"), "word-left", "word-left", "delete-word", "^k")).toBe("|");
  expect(typed(inputOf("one two"), "word-left", "^u")).toBe("|two");
  expect(typed(inputOf("ab\ncdef"), "up", "home", "'x", "down", "end", "'y")).toBe("xab\ncdefy|");
  expect(typed(inputOf("abc"), "home", "delete", "^d")).toBe("|c");
  expect(typed(inputOf("a😀b\nxy"), "up", "'Z")).toBe("aZ|😀b\nxy");
  expect(typed(inputOf("ab"), "home", "^d", "end", "newline", "'c")).toBe("b\nc|");
});

it("up in the first line and down in the last mean nothing, so that they can recall what was asked before", () => {
  const input = inputOf("a\nb");
  expect(edit(input, { name: "down" })).toBe(input);
  expect(edit(edit(input, { name: "up" }), { name: "up" })).toEqual({ text: "a\nb", cursor: 1 });
});

it("takes no more than it can hold", () => {
  const full = edit(emptyInput, { name: "text", text: "x".repeat(300_000) });
  expect(full.text.length).toBe(256 * 1024);
  expect(edit(full, { name: "text", text: "y" }).text).toBe(full.text);
});

it("defect P44: Ctrl-Y inserts the text that was deleted last, also after other keys", () => {
  expect(typed(inputOf("one two"), "^w", "home", "^y")).toBe("two|one ");
  expect(typed(inputOf("a b c"), "^w", "^w", "'x", "^y")).toBe("a xb c|");
  expect(typed(inputOf("ab cd"), "word-left", "^k", "^u", "^y")).toBe("ab cd|");
  expect(typed(inputOf("ab cd"), "word-left", "^u", "^k", "^y")).toBe("ab cd|");
  const input = inputOf("abc");
  expect(edit(input, { name: "ctrl", letter: "y" })).toBe(input);
});

it("defect P44: Ctrl-_ takes back the last changes, one after the other", () => {
  expect(typed(inputOf("one two"), "^w", "^_")).toBe("one two|");
  expect(typed(emptyInput, "'a", "'b", "' ", "'c", "'d", "^_")).toBe("ab |");
  expect(typed(emptyInput, "'a", "'b", "' ", "'c", "'d", "^_", "^_", "^_")).toBe("|");
  expect(typed(inputOf("abc"), "backspace", "backspace", "left", "'x", "^_", "^_")).toBe("abc|");
  const many = Array.from({ length: 300 }, (_, index) => (index % 2 === 0 ? "'x " : "^w"));
  expect(typed(inputOf("start "), ...many, ...many.map(() => "^_"))).toContain("start ");
});
