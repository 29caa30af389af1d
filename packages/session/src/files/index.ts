export type { ChangedFile } from "./changed-files.js";
export { changedFiles, finalDiff } from "./changed-files.js";
export type { DiffFile } from "./diff-files.js";
export { diffFiles } from "./diff-files.js";
