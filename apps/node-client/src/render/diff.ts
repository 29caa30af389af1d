import { isAbsolute, relative, sep } from "node:path";
import type { Diff, DiffChange } from "@turnkit/session";
import { createTwoFilesPatch, FILE_HEADERS_ONLY } from "diff";
import { blockLines, type Line } from "./line.js";
import type { Style } from "./style.js";

/** Maximum number of lines of one patch. A patch that a person has to approve has no maximum. */
const MAX_LINES = 200;
/** Maximum time for the comparison of two texts, in milliseconds. After it, both texts are shown completely. */
const COMPARE_TIMEOUT = 100;

/**
 * Returns a change to files as unified diffs. Control characters are shown as visible text, because a person approves
 * the change.
 */
export function diffLines(diff: Diff, directory: string, limit: number = MAX_LINES): readonly Line[] {
  const known = diff.changes.some((change) => change.oldText != null || change.newText != null);
  const patch = diff.patch == null ? [] : patchLines(withShortNames(diff.patch.text, directory), "  ", limit);
  if (!known && patch.length > 0)
    return limit === MAX_LINES ? patch : [...patch, ...changeLines(diff, directory, limit)];
  return [...changeLines(diff, directory, limit), ...(limit === MAX_LINES ? [] : patch)];
}

function changeLines({ changes }: Diff, directory: string, limit: number): readonly Line[] {
  return changes.flatMap((change) => patchLines(patchOf(change, directory), "  ", limit));
}

/** Returns a text in unified diff format as lines. */
export function patchLines(patch: string, gutter = "  ", limit: number = MAX_LINES): readonly Line[] {
  let inHunk = false;
  const style = (line: string): Style => {
    if (line.startsWith("@@")) inHunk = true;
    else if (line.startsWith("diff --git ")) inHunk = false;
    return inHunk ? hunkStyle(line) : "bold";
  };
  return blockLines(patch, { gutter, style, limit, sequences: "show" });
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

/** Returns a path relative to the session's directory if it is inside that directory. Other paths are unchanged. */
export function displayPath(path: string, directory: string): string {
  if (!isAbsolute(path)) return path;
  const inside = relative(directory, path);
  const outside = inside === "" || inside === ".." || inside.startsWith(`..${sep}`) || isAbsolute(inside);
  return outside ? path : inside;
}

/** Replaces the full paths in the headers of a patch with short ones. */
function withShortNames(patch: string, directory: string): string {
  const shorter = patch.replace(/^diff --git .*\n(?=--- )/gm, "");
  return shorter.replace(/^(---|\+\+\+) (\/[^\t\r\n]*)\t?$/gm, (header, mark: string, path: string) => {
    const name = displayPath(path, directory);
    return path === "/dev/null" || isAbsolute(name) ? header : `${mark} ${mark === "---" ? "a" : "b"}/${name}`;
  });
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

function hunkStyle(line: string): Style {
  if (line.startsWith("+")) return "green";
  if (line.startsWith("-")) return "red";
  return line.startsWith("@@") ? "cyan" : "plain";
}
