import { type Schema, string } from "../vocabulary.js";

// V2-ENV-11
/** A path from the root, written as the agent's own machine writes paths: POSIX, drive letter or UNC, never a URI. */
export type AbsolutePath = string;
/** Validates an {@link AbsolutePath}, as far as that it is a string: what is absolute depends on the agent's machine. */
export const absolutePath: Schema<AbsolutePath> = string();
