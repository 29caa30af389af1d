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
/** What sort of file changed: after the change, or before it if the file was deleted. */
export type DiffFileType = Infer<typeof diffFileType_> | never;
/** Validates a {@link DiffFileType}; unknown ones are kept. */
export const diffFileType: Schema<DiffFileType> = diffFileType_;

const onePath = {
  /** The file. */
  path: absolutePath,
};
const twoPaths = {
  /** Where the file was, or what it was copied from. */
  oldPath: absolutePath,
  /** Where the file is now. */
  path: absolutePath,
};
const diffPathChange_ = object(onePath);
/** What a change of one path has: it was added, deleted or modified. */
export interface DiffPathChange extends Infer<typeof diffPathChange_> {}
/** Validates a {@link DiffPathChange}. */
export const diffPathChange: Schema<DiffPathChange> = diffPathChange_;

const diffPathPairChange_ = object(twoPaths);
/** What a change between two paths has: a file was moved or copied. */
export interface DiffPathPairChange extends Infer<typeof diffPathPairChange_> {}
/** Validates a {@link DiffPathPairChange}. */
export const diffPathPairChange: Schema<DiffPathPairChange> = diffPathPairChange_;

const file_ = object({
  /** What sort of file it is. */
  fileType: lenient(nullable(diffFileType)),
  /** Its media type. */
  mimeType: lenient(nullable(mediaType)),
});
const changeOfOne_ = extend(file_, onePath);
const changeOfTwo_ = extend(file_, twoPaths);
const diffChange_ = openVariants(
  "operation",
  { add: changeOfOne_, delete: changeOfOne_, modify: changeOfOne_, move: changeOfTwo_, copy: changeOfTwo_ },
  { other: file_ },
);
/**
 * What happened to one file. Other operations than these are kept as they came.
 * @see V2-DIFF-02
 */
export type DiffChange = Infer<typeof diffChange_> | never;
/** Validates a {@link DiffChange}. */
export const diffChange: Schema<DiffChange> = diffChange_;

const diffPatchFormat_ = openEnum("git_patch");
/** How a patch is written. Of one in an unknown format only the changes are shown. */
export type DiffPatchFormat = Infer<typeof diffPatchFormat_> | never;
/** Validates a {@link DiffPatchFormat}; unknown ones are kept. */
export const diffPatchFormat: Schema<DiffPatchFormat> = diffPatchFormat_;

const diffPatch_ = object({
  /** How it is written. */
  format: diffPatchFormat,
  /** The patch. As `git_patch` its paths are absolute and have no `a/` or `b/` before them. */
  text: string(),
});
/**
 * The changes in detail.
 * @see V2-DIFF-03
 */
export interface DiffPatch extends Infer<typeof diffPatch_> {}
/** Validates a {@link DiffPatch}. */
export const diffPatch: Schema<DiffPatch> = diffPatch_;

const diff_ = object({
  /** Which files changed and how; malformed changes are dropped. It counts more than the patch. */
  changes: sifted(diffChange),
  /** The changes in detail, of some or all of the files. */
  patch: lenient(nullable(diffPatch)),
});
/**
 * Changes of files.
 * @see V2-DIFF-01
 */
export interface Diff extends Infer<typeof diff_> {}
/** Validates a {@link Diff}. */
export const diff: Schema<Diff> = diff_;
