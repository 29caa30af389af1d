import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { gitPatch } from "./git-patch.js";

const modify = (oldText: string, newText: string) =>
  ({ operation: "modify", path: "/n.txt", oldText, newText }) as const;

describe("a git patch", () => {
  it("V2-DIFF-06: of a change, with absolute paths and no prefixes", () => {
    expect(gitPatch(modify("a\nb\nc\nd\ne\nf\n", "a\nb\nc\nd\nE\nf\n"))).toBe(
      [
        "diff --git /n.txt /n.txt",
        "--- /n.txt",
        "+++ /n.txt",
        "@@ -2,5 +2,5 @@",
        " b",
        " c",
        " d",
        "-e",
        "+E",
        " f",
        "",
      ].join("\n"),
    );
  });

  it("V2-DIFF-06: of a new file and of one that goes", () => {
    expect(gitPatch({ operation: "add", path: "/n.txt", newText: "a\n" })).toBe(
      "diff --git /n.txt /n.txt\nnew file mode 100644\n--- /dev/null\n+++ /n.txt\n@@ -0,0 +1 @@\n+a\n",
    );
    expect(gitPatch({ operation: "delete", path: "/n.txt", oldText: "a\nb" })).toBe(
      "diff --git /n.txt /n.txt\ndeleted file mode 100644\n--- /n.txt\n+++ /dev/null\n@@ -1,2 +0,0 @@\n-a\n-b\n\\ No newline at end of file\n",
    );
    expect(gitPatch({ operation: "add", path: "/n", newText: "" })).toBe("diff --git /n /n\nnew file mode 100644\n");
  });

  it("V2-DIFF-06: changes whose context would touch share a hunk, others have their own", () => {
    const hunksAt = (second: number) => {
      const lines = Array.from({ length: 20 }, (_, n) => `${n}\n`);
      const changed = lines.map((line, n) => (n === 4 || n === second ? "x\n" : line));
      return gitPatch(modify(lines.join(""), changed.join("")))?.match(/^@@.*/gm);
    };
    expect(hunksAt(11)).toEqual(["@@ -2,14 +2,14 @@"]);
    expect(hunksAt(12)).toEqual(["@@ -2,7 +2,7 @@", "@@ -10,7 +10,7 @@"]);
  });

  it("V2-DIFF-06: marks a last line without an end", () => {
    expect(gitPatch(modify("a", "a\n"))).toContain("-a\n\\ No newline at end of file\n+a\n");
  });

  it("V2-DIFF-03: quotes unusual names as Git does", () => {
    const head = (path: string) => gitPatch({ operation: "add", path, newText: "x\n" })?.split("\n");
    expect(head('/a"\té\\')?.[0]).toBe('diff --git "/a\\"\\t\\303\\251\\\\" "/a\\"\\t\\303\\251\\\\"');
    expect(head("/a b")?.[3]).toBe("+++ /a b\t");
  });

  it("V2-DIFF-04: is none where there is no text, none is known, or nothing changed", () => {
    expect(gitPatch(modify("a\0", "b"))).toBeUndefined();
    expect(gitPatch(modify("a", "a"))).toBeUndefined();
    expect(gitPatch({ operation: "modify", path: "/a", newText: "x" })).toBeUndefined();
    expect(gitPatch({ operation: "move", path: "/a", oldPath: "/b" })).toBeUndefined();
  });

  it("gives the new text when it is applied to the old", () => {
    const lines = fc.array(fc.constantFrom("a", "b", "", "\\", "-x"), { maxLength: 12 }).map((all) => all.join("\n"));
    fc.assert(
      fc.property(lines, lines, (oldText, newText) => {
        const patch = gitPatch(modify(oldText, newText));
        expect(patch === undefined ? oldText : applied(patch, oldText)).toBe(newText);
      }),
      { numRuns: 2000 },
    );
  });
});

/** Applies a patch of one hunk in the plainest way. */
function applied(patch: string, text: string): string {
  const lines = patch.split("\n").slice(0, -1);
  const at = lines.findIndex((line) => line.startsWith("@@"));
  const [, start, length] = /^@@ -(\d+)(?:,(\d+))? /.exec(lines[at] ?? "") ?? [];
  const before = text.split(/(?<=\n)/);
  const count = length === undefined ? 1 : Number(length);
  const first = count === 0 ? Number(start) : Number(start) - 1;
  const old: string[] = [];
  const now: string[] = [];
  let touched: string[][] = [];
  for (const line of lines.slice(at + 1)) {
    if (line.startsWith("\\")) {
      for (const side of touched) side.push((side.pop() ?? "").slice(0, -1));
      continue;
    }
    touched = line.startsWith("-") ? [old] : line.startsWith("+") ? [now] : [old, now];
    for (const side of touched) side.push(`${line.slice(1)}\n`);
  }
  expect(before.slice(first, first + count).join("")).toBe(old.join(""));
  return [...before.slice(0, first), ...now, ...before.slice(first + count)].join("");
}
