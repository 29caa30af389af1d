import { isLintable } from "../lint/oxlint.js";
import { MAX_FILES, type Mention } from "./request.js";

/** Changed files that the reviewer has rules for, and the numbers of those that are left out and of other files. */
type Changes = { readonly files: readonly Mention[]; readonly omitted: number; readonly others: number };

/** Line of `git_diff` about a file that still exists: its kind of change, and its path from the session's folder. */
const LINE = /^(added|changed|untracked)\t(.+)$/;

/** Reads the list of names that `git_diff` returns. Deleted files and notes are left out. */
export function readChanges(text: string): Changes {
  const paths = text.split("\n").flatMap((line) => LINE.exec(line)?.[2] ?? []);
  const known = paths.filter(isLintable);
  return {
    files: known.slice(0, MAX_FILES).map((path) => ({ path })),
    omitted: Math.max(0, known.length - MAX_FILES),
    others: paths.length - known.length,
  };
}
