import { gitPatch } from "../codec/v2/git-patch.js";
import type { Entry } from "../entry.js";
import { oncePer } from "../select.js";
import type { SessionState } from "../state.js";
import type { Diff, DiffChange } from "../tool-call.js";
import type { KeyedList } from "../vector.js";
import { type DiffFile, diffFiles } from "./diff-files.js";

/** File that tool calls have changed, according to their diffs. */
export type ChangedFile = {
  /** Absolute path after all changes. For a deleted file, the path before its deletion. */
  readonly path: string;
  /** Path before a move or copy. Absent if the file was not moved. */
  readonly oldPath?: string;
  /** Text before all changes. `null` if the file did not exist, and `undefined` if the text is unknown. */
  readonly oldText?: string | null;
  /** Text after all changes. `null` if the file does not exist, and `undefined` if the text is unknown. */
  readonly newText?: string | null;
  /** Changes in order, each with its part of a patch. */
  readonly changes: readonly DiffFile[];
  /** Ids of the tool calls, in order. */
  readonly toolCallIds: readonly string[];
};

/**
 * Returns the files that tool calls have changed, in the order of their first change. The diffs of the calls are the
 * source. Calls that failed or were cancelled do not count. For the same timeline, the same object is returned.
 */
export function changedFiles(state: SessionState): readonly ChangedFile[] {
  return filesOf(state.timeline);
}

/**
 * Returns all changes of a file as one diff in the format of Git.
 *
 * - If every change has both texts, and begins with the text after the previous change: the difference between the
 *   first and the last text.
 * - Otherwise: the patches of all changes, one after the other.
 * - If the file is unchanged, or only its name is known: an empty text.
 */
export function finalDiff({ path, oldText, newText, oldPath, changes }: ChangedFile): string {
  // The file was created and deleted, so its content has no effect.
  if (oldText === null && newText === null) return "";
  if (oldPath === undefined && isChain(changes)) {
    if (oldText === newText) return "";
    const operation = oldText === null ? "add" : newText === null ? "delete" : "modify";
    const patch = gitPatch({ operation, path, oldText, newText });
    if (patch !== undefined) return patch;
  }
  return changes.map(({ change, patch }) => ended(patch ?? gitPatch(change) ?? "")).join("");
}

const ended = (patch: string): string => (patch === "" || patch.endsWith("\n") ? patch : `${patch}\n`);

/** Returns `true` if every change has both texts, and begins with the text after the previous change. */
function isChain(changes: readonly DiffFile[]): boolean {
  return changes.every(({ change }, index) => {
    const before = changes[index - 1]?.change;
    return (
      textsOf(change).every((text) => text !== undefined) &&
      (before === undefined || textsOf(before)[1] === textsOf(change)[0])
    );
  });
}

/**
 * Returns the texts before and after a change. `null` means that the file does not exist, and `undefined` that the text
 * is unknown.
 */
function textsOf({
  operation,
  oldText,
  newText,
}: DiffChange): readonly [string | null | undefined, string | null | undefined] {
  if (operation === "add") return [null, newText ?? undefined];
  if (operation === "delete") return [oldText ?? undefined, null];
  return [operation === "copy" ? null : (oldText ?? undefined), newText ?? undefined];
}

const partsOf = /* @__PURE__ */ oncePer((diff: Diff) => diffFiles(diff));

const filesOf = /* @__PURE__ */ oncePer((timeline: KeyedList<Entry>): readonly ChangedFile[] => {
  const files = new Map<string, GrowingFile>();
  for (const entry of timeline) {
    if (entry.type !== "tool_call" || entry.status === "failed" || entry.status === "cancelled") continue;
    for (const item of entry.content) {
      if (item.type === "diff") for (const part of partsOf(item)) addChange(files, part, entry.toolCallId);
    }
  }
  return [...files.values()];
});

/** File whose lists grow in place. Copies for each change would take quadratic time. */
type GrowingFile = ChangedFile & { readonly changes: DiffFile[]; readonly toolCallIds: string[] };

function addChange(files: Map<string, GrowingFile>, part: DiffFile, toolCallId: string): void {
  const { operation, path, oldPath } = part.change;
  const moved = operation === "move" && oldPath !== undefined;
  const known = files.get(moved ? oldPath : path);
  const [before, after] = textsOf(part.change);
  const { changes = [], toolCallIds = [] } = known ?? {};
  changes.push(part);
  // All changes of one call come directly after each other.
  if (toolCallIds.at(-1) !== toolCallId) toolCallIds.push(toolCallId);
  if (moved) files.delete(oldPath);
  files.set(path, {
    path,
    oldPath: operation === "move" || operation === "copy" ? (known?.oldPath ?? oldPath) : known?.oldPath,
    oldText: known === undefined ? before : known.oldText,
    newText: after,
    changes,
    toolCallIds,
  });
}
