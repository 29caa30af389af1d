import { describe, expect, it } from "vitest";
import { compareTexts, pairRows, readPatch } from "./diff-rows.js";

describe("lines of a diff", () => {
  it("two texts have the lines that differ, with their numbers", () => {
    expect(compareTexts("a\nb\nc\n", "a\nx\nc\n")).toEqual([
      { kind: "same", text: "a", before: 1, after: 1 },
      { kind: "removed", text: "b", before: 2 },
      { kind: "added", text: "x", after: 2 },
      { kind: "same", text: "c", before: 3, after: 3 },
    ]);
    expect(compareTexts("", "new\n")).toEqual([{ kind: "added", text: "new", after: 1 }]);
  });

  it("a patch keeps each of its lines, also those outside of its hunks", () => {
    const rows = readPatch("rename from a\n@@ -4,2 +4,2 @@ f()\n same\n-old\n+new\n\\ No newline at end of file\n");
    expect(rows.map(({ kind, text, before, after }) => [kind, text, before, after])).toEqual([
      ["mark", "rename from a", undefined, undefined],
      ["mark", "@@ -4,2 +4,2 @@ f()", undefined, undefined],
      ["same", "same", 4, 4],
      ["removed", "old", 5, undefined],
      ["added", "new", undefined, 5],
      ["mark", "No newline at end of file", undefined, undefined],
    ]);
  });

  it("removed lines stand beside the lines that replace them", () => {
    const pairs = pairRows(compareTexts("a\nb\nc\n", "a\nx\ny\nz\nc\n"));
    expect(pairs.map(({ before, after }) => [before?.text, after?.text])).toEqual([
      ["a", "a"],
      ["b", "x"],
      [undefined, "y"],
      [undefined, "z"],
      ["c", "c"],
    ]);
  });
});
