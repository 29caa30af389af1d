import { gitPatch } from "../codec/v2/git-patch.js";
import type { Entry } from "../entry.js";
import { oncePer } from "../select.js";
import type { SessionState } from "../state.js";
import type { Diff, DiffChange } from "../tool-call.js";
import type { KeyedList } from "../vector.js";
import { type DiffFile, diffFiles } from "./diff-files.js";

/** A file that tool calls say they changed. */
export type ChangedFile = {
  /** Absolute. Where the file is now, or was if it is gone. */
  readonly path: string;
  /** Path before a move or copy. Absent: the file was not moved. */
  readonly oldPath?: string;
  /** Before all changes; `null` if there was no such file, `undefined` if the first change does not say. */
  readonly oldText?: string | null;
  /** After all changes; `null` if there is no such file now, `undefined` if the last change does not say. */
  readonly newText?: string | null;
  /** Changes in their order, each with its part of a patch. */
  readonly changes: readonly DiffFile[];
  /** Ids of the tool calls, in their order. */
  readonly toolCallIds: readonly string[];
};

/**
 * Returns the files that tool calls changed, by their diffs, in the order of the first change. Calls that failed or
 * were cancelled do not count. The result is identical for the same timeline.
 */
export function changedFiles(state: SessionState): readonly ChangedFile[] {
  return filesOf(state.timeline);
}

/**
 * Returns all changes of a file as one diff, as Git writes it. If texts are known and each change begins with the text
 * that the previous change left, that is the difference between the first and the last. Otherwise it is the patches of
 * all changes, one after the other. It is empty if the file is unchanged, or nothing is known beside its name.
 */
export function finalDiff({ path, oldText, newText, oldPath, changes }: ChangedFile): string {
  // The file was created and deleted: its content does not matter.
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

/** Returns true if every change has both texts, and begins with the text that the previous change left. */
function isChain(changes: readonly DiffFile[]): boolean {
  return changes.every(({ change }, index) => {
    const before = changes[index - 1]?.change;
    return (
      textsOf(change).every((text) => text !== undefined) &&
      (before === undefined || textsOf(before)[1] === textsOf(change)[0])
    );
  });
}

/** Returns the texts before and after: `null` for no file, `undefined` for an unknown text. */
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

/** A file whose lists grow in place: a copy for each change would take quadratic time. */
type GrowingFile = ChangedFile & { readonly changes: DiffFile[]; readonly toolCallIds: string[] };

function addChange(files: Map<string, GrowingFile>, part: DiffFile, toolCallId: string): void {
  const { operation, path, oldPath } = part.change;
  const moved = operation === "move" && oldPath !== undefined;
  const known = files.get(moved ? oldPath : path);
  const [before, after] = textsOf(part.change);
  const { changes = [], toolCallIds = [] } = known ?? {};
  changes.push(part);
  // The changes of one call come one after the other.
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
