import { isAbsolute } from "node:path";
import type { Diff, DiffChange } from "@turnkit/session";
import { createTwoFilesPatch, FILE_HEADERS_ONLY } from "diff";
import { displayPath } from "./display-path.js";
import type { Line } from "./line.js";
import { MAX_LINES, patchLines } from "./patch.js";

/** Maximum time for the comparison of two texts, in milliseconds. After it, both texts are shown completely. */
const COMPARE_TIMEOUT = 100;

/**
 * Returns a change to files as unified diffs. Control characters are shown as visible text, because a person approves
 * the change.
 */
export function diffLines(diff: Diff, directory: string, limit: number = MAX_LINES): readonly Line[] {
  const known = diff.changes.some((change) => change.oldText != null || change.newText != null);
  const patch = diff.patch == null ? [] : patchLines(diff.patch.text, { limit, directory });
  if (!known && patch.length > 0)
    return limit === MAX_LINES ? patch : [...patch, ...changeLines(diff, directory, limit)];
  return [...changeLines(diff, directory, limit), ...(limit === MAX_LINES ? [] : patch)];
}

function changeLines({ changes }: Diff, directory: string, limit: number): readonly Line[] {
  return changes.flatMap((change) => patchLines(patchOf(change, directory), { limit }));
}

/**
 * Returns the unified diff of two texts, or an empty text if they are equal. `undefined` means that the file does not
 * exist.
 */
export function unifiedDiff(name: string, before: string | undefined, after: string | undefined): string {
  if (before === after) return "";
  const inside = !isAbsolute(name);
  const from = before === undefined ? "/dev/null" : inside ? `a/${name}` : name;
  const to = after === undefined ? "/dev/null" : inside ? `b/${name}` : name;
  const options = { context: 3, headerOptions: FILE_HEADERS_ONLY, timeout: COMPARE_TIMEOUT };
  const patch = createTwoFilesPatch(from, to, before ?? "", after ?? "", undefined, undefined, options);
  const all = (mark: string, text = "") => text.replace(/\n$/, "").replace(/^/gm, mark);
  return patch ?? `--- ${from}\n+++ ${to}\n@@ all lines @@\n${all("-", before)}\n${all("+", after)}\n`;
}

function patchOf(change: DiffChange, directory: string): string {
  // A line break in a path must not look like a new line of the diff.
  const name = displayPath(change.path, directory).replace(/[\r\n]/g, "�");
  if (change.oldText == null && change.newText == null) {
    const from = change.oldPath === undefined ? "" : `${displayPath(change.oldPath, directory)} → `;
    return `${String(change.operation)} ${from}${name}\n`;
  }
  const before = change.operation === "add" ? undefined : (change.oldText ?? "");
  const after = change.operation === "delete" ? undefined : (change.newText ?? "");
  const unchanged = before === after ? `${name}: no change\n` : "";
  return unchanged || unifiedDiff(name, before, after);
}
