import { describe, expect, it } from "vitest";
import { plainText } from "./line.js";
import { patchLines } from "./patch.js";

const shown = (patch: string, limit?: number) =>
  patchLines(patch, { directory: "/work", ...(limit !== undefined && { limit }) }).map(plainText);
/** Returns the parts of the lines that have the style of a changed word. */
const changed = (patch: string) =>
  patchLines(patch).map((line) =>
    line.flatMap((span) => (typeof span !== "string" && span[0].includes("inverse") ? [span[1]] : [])),
  );

describe("defect P14: the head of a patch", () => {
  const head = "diff --git /work/src/a.ts /work/src/a.ts\nindex 1..2 100644\n--- /work/src/a.ts\n+++ /work/src/a.ts\n";
  const hunk = "@@ -1 +1 @@\n-a\n+b\n";

  it("has each name once, relative to the directory", () => {
    expect(shown(head + hunk)).toEqual(["  --- a/src/a.ts", "  +++ b/src/a.ts", "  @@ -1 +1 @@", "  -a", "  +b"]);
  });

  it("is whole in a question, with short names", () => {
    expect(shown(head + hunk, Number.POSITIVE_INFINITY).slice(0, 4)).toEqual([
      ...["  diff --git src/a.ts src/a.ts", "  index 1..2 100644", "  --- a/src/a.ts", "  +++ b/src/a.ts"],
    ]);
  });

  it("keeps the names that no other line has", () => {
    const moved = "diff --git a/work/a.ts b/work/b.ts\nrename from /work/a.ts\nrename to /work/b.ts\n";
    expect(shown(moved)).toEqual(["  diff --git a/a.ts b/b.ts", "  rename from a.ts", "  rename to b.ts"]);
  });

  it.each(["--- /work/../etc/passwd", "+++ /etc/passwd", "diff --git /work/../a /b"])("leaves %s as it is", (line) => {
    expect(shown(line)).toEqual([`  ${line}`]);
  });

  it("is not taken for one inside of a hunk", () => {
    expect(shown(`${hunk}--- /work/a\n+++ /work/b\n`).slice(3)).toEqual(["  --- /work/a", "  +++ /work/b"]);
  });
});

describe("changed words of a patch", () => {
  it("have a style of their own in both lines", () => {
    expect(changed("@@ -1,2 +1,2 @@\n-const price = 1;\n-let name;\n+const cost = 1;\n+let name2;\n")).toEqual([
      ...[[], ["price"], ["name"], ["cost"], ["name2"]],
    ]);
  });

  it("are left out where the lines have little in common, or one has no partner", () => {
    expect(changed("@@\n-a completely different line\n+const x = 1;\n+y\n").flat()).toEqual([]);
    expect(changed("@@\n+const x = 1;\n").flat()).toEqual([]);
  });

  it("lose nothing of the lines, whatever is in them", () => {
    const before = "-a\u001b[2Kb \u{1f600}\u{1f468}\u200d\u{1f469} tail";
    const lines = shown(`@@\n${before}\n+a\u001b[2Kc \u{1f600} tail\n`);
    expect(lines).toEqual(["  @@", "  -a␛[2Kb \u{1f600}\u{1f468}\u200d\u{1f469} tail", "  +a␛[2Kc \u{1f600} tail"]);
  });
});
