import {
  extend,
  type Infer,
  lenient,
  nullable,
  object,
  openEnum,
  openVariants,
  type Schema,
  sifted,
  string,
} from "../vocabulary.js";
import { absolutePath } from "./absolute-path.js";
import { mediaType } from "./content.js";

const diffFileType_ = openEnum("text", "binary", "directory", "symlink");
/** Kind of the file after the change. For a deleted file, the kind before its deletion. */
export type DiffFileType = Infer<typeof diffFileType_> | never;
/** Validates a {@link DiffFileType}. Unknown values are accepted. */
export const diffFileType: Schema<DiffFileType> = diffFileType_;

const onePath = {
  /** Path of the file. */
  path: absolutePath,
};
const twoPaths = {
  /** Previous path of the file, or path of the file that was copied. */
  oldPath: absolutePath,
  /** Current path of the file. */
  path: absolutePath,
};
const diffPathChange_ = object(onePath);
/** Members of a change that has one path, because a file was added, deleted or modified. */
export interface DiffPathChange extends Infer<typeof diffPathChange_> {}
/** Validates a {@link DiffPathChange}. */
export const diffPathChange: Schema<DiffPathChange> = diffPathChange_;

const diffPathPairChange_ = object(twoPaths);
/** Members of a change that has two paths, because a file was moved or copied. */
export interface DiffPathPairChange extends Infer<typeof diffPathPairChange_> {}
/** Validates a {@link DiffPathPairChange}. */
export const diffPathPairChange: Schema<DiffPathPairChange> = diffPathPairChange_;

const file_ = object({
  /** Kind of the file. */
  fileType: lenient(nullable(diffFileType)),
  /** Media type. */
  mimeType: lenient(nullable(mediaType)),
});
const changeOfOne_ = extend(file_, onePath);
const changeOfTwo_ = extend(file_, twoPaths);
const diffChange_ = openVariants(
  "operation",
  { add: changeOfOne_, delete: changeOfOne_, modify: changeOfOne_, move: changeOfTwo_, copy: changeOfTwo_ },
  { other: file_ },
);
// V2-DIFF-02
/** Change of one file. A change with another operation is not changed. */
export type DiffChange = Infer<typeof diffChange_> | never;
/** Validates a {@link DiffChange}. */
export const diffChange: Schema<DiffChange> = diffChange_;

const diffPatchFormat_ = openEnum("git_patch");
/** Format of a patch. If the format is unknown, only the list of changes is shown. */
export type DiffPatchFormat = Infer<typeof diffPatchFormat_> | never;
/** Validates a {@link DiffPatchFormat}. Unknown values are accepted. */
export const diffPatchFormat: Schema<DiffPatchFormat> = diffPatchFormat_;

const diffPatch_ = object({
  /** Format of the patch. */
  format: diffPatchFormat,
  /** Text of the patch. In the format `git_patch`, paths are absolute and have no prefix `a/` or `b/`. */
  text: string(),
});
// V2-DIFF-03
/** Changes line by line. */
export interface DiffPatch extends Infer<typeof diffPatch_> {}
/** Validates a {@link DiffPatch}. */
export const diffPatch: Schema<DiffPatch> = diffPatch_;

const diff_ = object({
  /** Changed files with their operations. Malformed changes are dropped. The list has priority over the patch. */
  changes: sifted(diffChange),
  /** Changes line by line, for some or all of the files. */
  patch: lenient(nullable(diffPatch)),
});
// V2-DIFF-01
/** Changes of files. */
export interface Diff extends Infer<typeof diff_> {}
/** Validates a {@link Diff}. */
export const diff: Schema<Diff> = diff_;
