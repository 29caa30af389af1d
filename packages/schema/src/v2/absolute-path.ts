import { type Schema, string } from "../vocabulary.js";

// V2-ENV-11
/** Absolute path in the form of the agent's machine (POSIX, drive letter or UNC). It is never a URI. */
export type AbsolutePath = string;
/** Validates an {@link AbsolutePath}. Every string is valid, because only the agent knows the form of its paths. */
export const absolutePath: Schema<AbsolutePath> = string();
