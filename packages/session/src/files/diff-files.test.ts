import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { gitPatch } from "../codec/v2/git-patch.js";
import type { DiffChange } from "../tool-call.js";
import { diffFiles } from "./diff-files.js";

const add = (path: string): DiffChange => ({ operation: "add", path, newText: "x\n" });
const patchOf = (text: string) => ({ format: "git_patch", text });

describe("the files of a diff", () => {
  it("V2-DIFF-05: have their part of the patch, by path", () => {
    const changes = [add("/a"), add("/b c"), { operation: "move", oldPath: "/d", path: "/e" } as const];
    const moved = "diff --git /d /e\nsimilarity index 100%\nrename from /d\nrename to /e\n";
    const text = `${moved}${gitPatch(changes[1] as DiffChange)}${gitPatch(changes[0] as DiffChange)}`;
    const files = diffFiles({ type: "diff", changes, patch: patchOf(text) });
    expect(files.map(({ change, patch }) => [change.path, patch?.split("\n")[0]])).toEqual([
      ["/a", "diff --git /a /a"],
      ["/b c", "diff --git /b c /b c"],
      ["/e", "diff --git /d /e"],
    ]);
    expect(files.map(({ patch }) => patch).join("").length).toBe(text.length);
  });

  it("V2-DIFF-05: or by place, where as many are left of both", () => {
    const changes = [{ operation: "modify", path: "/link" } as const, add("/a")];
    const text = `diff --git /elsewhere /elsewhere\n--- /elsewhere\n+++ /elsewhere\n@@ -1 +1 @@\n-a\n+b\n${gitPatch(add("/a"))}`;
    const [first] = diffFiles({ type: "diff", changes, patch: patchOf(text) });
    expect(first?.patch).toMatch(/elsewhere/);
  });

  it("V2-DIFF-04: have none where there is none, or none that is known", () => {
    expect(diffFiles({ type: "diff", changes: [add("/a")] })).toEqual([{ change: add("/a"), patch: undefined }]);
    const patch = { format: "_ed", text: "diff --git /a /a\n" };
    expect(diffFiles({ type: "diff", changes: [add("/a")], patch })[0]?.patch).toBeUndefined();
  });

  it("finds any name that Git can write", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", minLength: 1 }), fc.constantFrom("x\n", ""), (name, newText) => {
        const change: DiffChange = { operation: "add", path: `/${name}`, newText };
        const other = add("/other\u0000");
        const text = `${gitPatch(other)}${gitPatch(change)}`;
        const [file] = diffFiles({ type: "diff", changes: [change], patch: patchOf(text) });
        expect(file?.patch).toBe(gitPatch(change));
      }),
    );
  });
});
