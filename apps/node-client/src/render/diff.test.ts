import { afterEach, describe, expect, it, vi } from "vitest";
import { unifiedDiff } from "./diff.js";

describe("defect S7: a unified diff on a busy machine", () => {
  // The clock moves by a second at each look, as on a machine that is busy with other things.
  const slowClock = () => {
    let now = 0;
    vi.spyOn(Date, "now").mockImplementation(() => (now += 1_000));
  };
  const lines = (count: number, name: string) => Array.from({ length: count }, (_, at) => `${name} ${at}\n`).join("");

  afterEach(() => {
    vi.restoreAllMocks();
  });

  it("shows the changed lines of a text only", () => {
    slowClock();
    const before = lines(1_000, "line");
    expect(unifiedDiff("a", before, before.replace("line 500\n", "LINE\n"))).toBe(
      "--- a/a\n+++ b/a\n@@ -498,7 +498,7 @@\n line 497\n line 498\n line 499\n-line 500\n+LINE\n line 501\n line 502\n line 503\n",
    );
  });

  it("shows an added and a removed text without lines of the missing side", () => {
    slowClock();
    const text = lines(100_000, "line");
    const added = unifiedDiff("a", undefined, text);
    expect(added.slice(0, 60)).toBe("--- /dev/null\n+++ b/a\n@@ -0,0 +1,100000 @@\n+line 0\n+line 1\n+");
    expect(unifiedDiff("a", text, undefined).slice(0, 43)).toBe("--- a/a\n+++ /dev/null\n@@ -1,100000 +0,0 @@\n");
    expect(unifiedDiff("a", "", "b")).toBe("--- a/a\n+++ b/a\n@@ -0,0 +1,1 @@\n+b\n\\ No newline at end of file\n");
  });

  it("shows both texts if too much differs to be compared in time", () => {
    slowClock();
    const [before, after] = [lines(1_000, "old"), lines(1_000, "new")];
    expect(unifiedDiff("a", before, after).split("\n").slice(2, 4)).toEqual(["@@ all lines @@", "-old 0"]);
  });

  it("shows one mark for each line of a text whose lines end with CR LF", () => {
    slowClock();
    const [before, after] = [lines(1_000, "old"), lines(1_000, "new")].map((text) => text.replaceAll("\n", "\r\n"));
    const shown = unifiedDiff("a", before, after).split("\n").slice(3, 5);
    expect(shown).toEqual(["-old 0\r", "-old 1\r"]);
  });
});
