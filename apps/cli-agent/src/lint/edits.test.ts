import { describe, expect, it } from "vitest";
import { applyEdits } from "../tools/apply-edits.js";
import { editsBetween, patchBetween } from "./edits.js";

describe("the edits between two texts", () => {
  const cases: readonly [title: string, before: string, after: string][] = [
    ["one changed line", "a\nb\nc\n", "a\nB\nc\n"],
    ["a line that occurs twice", "x\na\nx\nb\n", "x\na\nX\nb\n"],
    ["two places far apart", "a\n1\n2\n3\n4\nb\n", "A\n1\n2\n3\n4\nB\n"],
    ["neighbours that need the same context", "x\nx\nx\nx\n", "x\ny\nx\nz\n"],
    ["an inserted line", "a\nb\n", "a\nnew\nb\n"],
    ["a removed line", "a\nb\nc\n", "a\nc\n"],
    ["a line at the very start", "b\n", "a\nb\n"],
    ["no newline at the end", "a\nb", "a\nc"],
    ["Windows line ends", "a\r\nb\r\nc\r\n", "a\r\nB\r\nc\r\n"],
    ["a change of nothing but line ends", "a\r\nb\r\n", "a\nb\n"],
    ["empty lines all around", "\n\n\n\n", "\n\nx\n\n"],
    ["everything gone", "a\nb\n", ""],
  ];

  it.each(cases)("make the new text out of the old one: %s", async (_title, before, after) => {
    expect(applyEdits(before, await editsBetween(before, after))).toBe(after);
  });

  it("hold for many random changes of repetitive texts", async () => {
    let seed = 7;
    const random = (below: number) => {
      seed = (seed * 48271) % 2147483647;
      return seed % below;
    };
    for (let round = 0; round < 200; round += 1) {
      const lines = Array.from({ length: 1 + random(12) }, () => "ab"[random(2)]);
      const changed = lines.flatMap((line) => (random(4) === 0 ? ["c", "a"].slice(random(3)) : [line]));
      const [before, after] = [lines.join("\n"), changed.join("\n")];
      if (before === after) continue;
      expect(applyEdits(before, await editsBetween(before, after)), JSON.stringify([before, after])).toBe(after);
    }
  });

  it("are as small as they can be", async () => {
    expect(await editsBetween("a\nb\nc\n", "a\nB\nc\n")).toEqual([{ oldText: "b\n", newText: "B\n" }]);
  });

  it("can be shown as a diff without its header", async () => {
    expect(await patchBetween("a\nb\n", "a\nc\n")).toBe("@@ -1,2 +1,2 @@\n a\n-b\n+c\n");
  });

  it("are one edit of the whole text if the texts differ in too many lines", async () => {
    const [before, after] = ["a", "b"].map((mark) =>
      Array.from({ length: 1000 }, (_, at) => `${mark}${at}\n`).join(""),
    );
    expect(await editsBetween(before as string, after as string)).toEqual([{ oldText: before, newText: after }]);
    const patch = await patchBetween(before as string, after as string);
    expect(patch.split("\n").slice(0, 2)).toEqual(["@@ -1,1000 +1,1000 @@", "-a0"]);
    expect(patch.match(/^[-+]/gm)).toHaveLength(2000);
  });
});
