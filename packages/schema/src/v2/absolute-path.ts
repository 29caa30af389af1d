import { type Schema, string } from "../vocabulary.js";

// V2-ENV-11
/** A path from the root, written as the agent's own machine writes paths: POSIX, drive letter or UNC, never a URI. */
export type AbsolutePath = string;
/** Validates an {@link AbsolutePath}: any string, because only the agent knows the paths of its machine. */
export const absolutePath: Schema<AbsolutePath> = string();
