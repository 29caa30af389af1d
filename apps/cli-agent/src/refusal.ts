import { ToolError } from "./errors.js";

/** Size in bytes of the largest file that is read. Every byte may cross the wire, and a review of more helps nobody. */
export const MAX_BYTES = 1024 * 1024;

/** Creates the refusal of a path that leaves the session's folders. */
export function outside(name: string): ToolError {
  return new ToolError("outside", `\`${name}\` is outside the folders of this session.`);
}

/** Creates the error for a missing file. */
export function notFound(name: string): ToolError {
  return new ToolError("not_found", `\`${name}\` does not exist.`);
}

/** Creates the refusal of a binary file. */
export function binary(name: string): ToolError {
  return new ToolError("binary", `\`${name}\` is not a text file.`);
}

/** Creates the refusal of a file of that many bytes. */
export function tooLarge(name: string, bytes: number): ToolError {
  const size = (Math.ceil((bytes / MAX_BYTES) * 10) / 10).toFixed(1);
  return new ToolError("too_large", `\`${name}\` has ${size} MB; files up to ${MAX_BYTES / 1024 / 1024} MB are read.`);
}
