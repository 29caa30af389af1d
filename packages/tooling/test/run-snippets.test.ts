import { expect, test } from "vitest";
import { runSnippets, snippetsIn } from "../src/snippets.js";

test("what a page says that its example prints is what it prints", { timeout: 120_000 }, async () => {
  const runs = await runSnippets();
  expect(runs.length).toBeGreaterThan(3);
  expect(runs.map(({ at, printed }) => ({ at, printed }))).toEqual(
    runs.map(({ at, expected }) => ({ at, printed: expected })),
  );
});

test("a text fence right after a snippet is its output", () => {
  const page = "```ts\na();\n```\n\n```text\none\ntwo\n```\n\n```ts\nb();\n```\n\nAnd:\n\n```text\nthree\n```\n";
  expect(snippetsIn("docs/a.md", page).map(({ output }) => output)).toEqual(["one\ntwo", undefined]);
});
