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
/** Kind of the file after the change, or before it if the file was deleted. */
export type DiffFileType = Infer<typeof diffFileType_> | never;
/** Validates a {@link DiffFileType}; unknown ones are kept. */
export const diffFileType: Schema<DiffFileType> = diffFileType_;

const onePath = {
  /** The file. */
  path: absolutePath,
};
const twoPaths = {
  /** Former path of the file, or path of the copied file. */
  oldPath: absolutePath,
  /** Current path of the file. */
  path: absolutePath,
};
const diffPathChange_ = object(onePath);
/** Members of a change of one path: a file was added, deleted or modified. */
export interface DiffPathChange extends Infer<typeof diffPathChange_> {}
/** Validates a {@link DiffPathChange}. */
export const diffPathChange: Schema<DiffPathChange> = diffPathChange_;

const diffPathPairChange_ = object(twoPaths);
/** Members of a change between two paths: a file was moved or copied. */
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
/** Change of one file. Other operations than these are kept as received. */
export type DiffChange = Infer<typeof diffChange_> | never;
/** Validates a {@link DiffChange}. */
export const diffChange: Schema<DiffChange> = diffChange_;

const diffPatchFormat_ = openEnum("git_patch");
/** Format of a patch. If it is unknown, only the changes are shown. */
export type DiffPatchFormat = Infer<typeof diffPatchFormat_> | never;
/** Validates a {@link DiffPatchFormat}; unknown ones are kept. */
export const diffPatchFormat: Schema<DiffPatchFormat> = diffPatchFormat_;

const diffPatch_ = object({
  /** Format of the patch. */
  format: diffPatchFormat,
  /** The patch. In the format `git_patch`, paths are absolute and have no prefix `a/` or `b/`. */
  text: string(),
});
// V2-DIFF-03
/** The changes in detail. */
export interface DiffPatch extends Infer<typeof diffPatch_> {}
/** Validates a {@link DiffPatch}. */
export const diffPatch: Schema<DiffPatch> = diffPatch_;

const diff_ = object({
  /** Changed files with their operations; malformed changes are dropped. The list takes precedence over the patch. */
  changes: sifted(diffChange),
  /** The changes in detail, of some or all of the files. */
  patch: lenient(nullable(diffPatch)),
});
// V2-DIFF-01
/** Changes of files. */
export interface Diff extends Infer<typeof diff_> {}
/** Validates a {@link Diff}. */
export const diff: Schema<Diff> = diff_;
