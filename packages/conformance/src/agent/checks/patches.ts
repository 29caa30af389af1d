import type { AgentCheck } from "../../check.js";
import { type Frame, objectsIn, show, textOf } from "../../entry.js";
import { expect, skip } from "../../verdict.js";

/** Checks of patches in diffs. */
export const patchChecks: readonly AgentCheck[] = [
  {
    id: "TK-DIFF-01",
    title: "The headers of a patch name the paths of the changes: absolute, and without a/ and b/.",
    tier: "mandatory",
    dialects: ["v2"],
    requirements: ["V2-DIFF-01", "V2-DIFF-03"],
    watch(talk) {
      let judged = 0;
      for (const entry of talk.of("agent")) {
        const diffs = objectsIn(talk.toolCallOf(entry)?.content).filter(({ type }) => type === "diff");
        for (const { changes, patch } of diffs) {
          const { format, text } = (patch ?? {}) as Frame;
          if (format !== "git_patch") continue;
          judged += 1;
          const known = headersOf(objectsIn(changes));
          const wrong = headersIn(textOf(text)).find((header) => !known.has(header.replace(/\t$/, "")));
          expect(wrong === undefined, `no change has the paths of ${show(wrong)}`, entry);
        }
      }
      if (judged === 0) skip("No tool call had a patch.");
    },
  },
];

/** Returns the lines of a patch that name paths. A quoted path is left out, because it may have escapes. */
function headersIn(patch: string): readonly string[] {
  const headers: string[] = [];
  let isHunk = false;
  for (const line of patch.split("\n")) {
    if (line.startsWith("diff --git ")) isHunk = false;
    else if (line.startsWith("@@ ")) isHunk = true;
    if (!isHunk && /^(diff --git|---|\+\+\+) /.test(line) && !line.includes('"')) headers.push(line);
  }
  return headers;
}

/** Returns the headers that a patch of some changes may have. */
function headersOf(changes: readonly Frame[]): ReadonlySet<string> {
  const headers = new Set(["--- /dev/null", "+++ /dev/null"]);
  for (const { path, oldPath } of changes) {
    const from = textOf(oldPath ?? path);
    const to = textOf(path);
    for (const header of [`diff --git ${from} ${to}`, `--- ${from}`, `+++ ${to}`]) headers.add(header);
  }
  return headers;
}
