import { isAbsolute } from "node:path";
import type { Diff, DiffChange } from "@turnkit/session";
import { displayPath } from "./display-path.js";
import { allLines, type Line } from "./line.js";
import { hunksBetween } from "./line-patch.js";
import { MAX_LINES, patchLines } from "./patch.js";

/** Largest number of characters and of changed lines of texts whose comparison has no time limit. */
const MAX_UNTIMED = 65_536;
const MAX_EDITS = 250;

/** Maximum time for the comparison of other texts, in milliseconds. After it, both texts are shown completely. */
const COMPARE_TIMEOUT = 100;

/**
 * Returns a change to files as unified diffs. Control characters are shown as visible text, because a person approves
 * the change.
 */
export function diffLines(diff: Diff, directory: string, limit: number = MAX_LINES): readonly Line[] {
  const known = diff.changes.some((change) => change.oldText != null || change.newText != null);
  const patch = diff.patch == null ? [] : patchLines(diff.patch.text, { limit, directory });
  if (!known && patch.length > 0)
    return limit === MAX_LINES ? patch : allLines([patch, changeLines(diff, directory, limit)]);
  return allLines([changeLines(diff, directory, limit), limit === MAX_LINES ? [] : patch]);
}

function changeLines({ changes }: Diff, directory: string, limit: number): readonly Line[] {
  return allLines(changes.map((change) => patchLines(patchOf(change, directory), { limit })));
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
  const head = `--- ${from}\n+++ ${to}\n`;
  if (!before || !after) return head + wholeHunk("-", before) + wholeHunk("+", after);
  // There is no time limit, because it would depend on the load of the machine: on a busy machine, a change of one line
  // was shown as two whole texts.
  const isShort = before.length + after.length <= MAX_UNTIMED;
  const hunks =
    (isShort ? hunksBetween(before, after, { maxEditLength: MAX_EDITS }) : undefined) ??
    hunksBetween(before, after, { timeout: COMPARE_TIMEOUT });
  return head + (hunks ?? `@@ all lines @@\n${marked("-", before)}${marked("+", after)}`);
}

function marked(mark: "-" | "+", text: string): string {
  const lines = text.endsWith("\n") ? text.slice(0, -1) : text;
  return `${mark}${lines.split("\n").join(`\n${mark}`)}\n`;
}

/** Returns the hunk of a text that was added or removed as a whole, or an empty text. */
function wholeHunk(mark: "-" | "+", text = ""): string {
  if (text === "") return "";
  const isEnded = text.endsWith("\n");
  const count = text.split("\n").length - (isEnded ? 1 : 0);
  const ranges = mark === "-" ? `-1,${count} +0,0` : `-0,0 +1,${count}`;
  return `@@ ${ranges} @@\n${marked(mark, text)}${isEnded ? "" : "\\ No newline at end of file\n"}`;
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
