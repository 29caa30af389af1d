import { isAbsolute } from "node:path";
import type { Diff, DiffChange } from "@turnkit/session";
import { createTwoFilesPatch, FILE_HEADERS_ONLY } from "diff";
import { displayPath } from "./display-path.js";
import type { Page } from "./page.js";
import type { Style } from "./style.js";

/** Lines of one diff that are shown at most. */
const MAX_LINES = 200;
/** How long the comparison of two texts may take, in milliseconds, before only the path is shown. */
const COMPARE_TIMEOUT = 1000;

/** Shows a change to files as unified diffs. Control characters in them are made visible: somebody approves this. */
export function renderDiff(page: Page, diff: Diff, directory: string): void {
  const known = diff.changes.some((change) => change.oldText != null || change.newText != null);
  if (!known && diff.patch != null) return renderPatch(page, withShortNames(diff.patch.text, directory));
  for (const change of diff.changes) renderPatch(page, patchOf(change, directory));
}

/** A patch of the protocol names files by their full path; people know them from their folder. */
function withShortNames(patch: string, directory: string): string {
  const shorter = patch.replace(/^diff --git .*\n(?=--- )/gm, "");
  return shorter.replace(/^(---|\+\+\+) (\/[^\t\r\n]*)\t?$/gm, (header, mark: string, path: string) => {
    const name = displayPath(path, directory);
    return path === "/dev/null" || isAbsolute(name) ? header : `${mark} ${mark === "---" ? "a" : "b"}/${name}`;
  });
}

/** Shows a text in unified diff format. */
export function renderPatch(page: Page, patch: string, gutter = "  "): void {
  let inHunk = false;
  const style = (line: string): Style => {
    if (line.startsWith("@@")) inHunk = true;
    else if (line.startsWith("diff --git ")) inHunk = false;
    return inHunk ? hunkStyle(line) : "bold";
  };
  page.block(patch, { gutter, style, limit: MAX_LINES, sequences: "show" });
}

/** The unified diff of two texts; `undefined` stands for a file that is not there. Empty if nothing differs. */
export function unifiedDiff(name: string, before: string | undefined, after: string | undefined): string {
  if (before === after) return "";
  const inside = !isAbsolute(name);
  const from = before === undefined ? "/dev/null" : inside ? `a/${name}` : name;
  const to = after === undefined ? "/dev/null" : inside ? `b/${name}` : name;
  const options = { context: 3, headerOptions: FILE_HEADERS_ONLY, timeout: COMPARE_TIMEOUT };
  const patch = createTwoFilesPatch(from, to, before ?? "", after ?? "", undefined, undefined, options);
  return patch ?? `--- ${from}\n+++ ${to}\n(too different to show)\n`;
}

function patchOf(change: DiffChange, directory: string): string {
  // A path with a line break in it must not be able to fake a line of the diff.
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
