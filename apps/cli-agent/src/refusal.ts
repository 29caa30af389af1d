import { readdir, stat } from "node:fs/promises";
import { isLintable } from "./lint/rules.js";
import { ToolError } from "./tools/tool.js";

/** The largest file that is read. A review of more would help nobody, and every byte may cross the wire. */
export const MAX_BYTES = 1024 * 1024;

const LISTED_FILES = 8;

/**
 * Looks at a file before a client is asked for it, which should not have to send a disk image. The path was found inside
 * the session's folders.
 *
 * @throws ToolError `directory`, `unreadable` or `too_large`
 */
export async function refuseUnreadable(path: string, name: string, maxBytes = MAX_BYTES): Promise<void> {
  const found = await stat(path).catch(() => undefined);
  if (found?.isDirectory()) throw new ToolError("directory", `\`${name}\` is a folder.${await suggestFiles(path)}`);
  if (found?.isFile() === false) throw new ToolError("unreadable", `\`${name}\` is not a regular file.`);
  if (found !== undefined && found.size > maxBytes) throw tooLarge(name, found.size);
}

async function suggestFiles(folder: string): Promise<string> {
  const names = (await readdir(folder).catch(() => [])).filter(isLintable).sort();
  if (names.length === 0) return "";
  const more = names.length > LISTED_FILES ? `, and ${names.length - LISTED_FILES} more` : "";
  return ` It holds ${names.slice(0, LISTED_FILES).join(", ")}${more}.`;
}

/** The refusal of a path that leaves the session's folders. */
export function outside(name: string): ToolError {
  return new ToolError("outside", `\`${name}\` is outside the folders of this session.`);
}

/** The answer about a file that is not there. */
export function notFound(name: string): ToolError {
  return new ToolError("not_found", `\`${name}\` does not exist.`);
}

/** The refusal of a file that is no text. */
export function binary(name: string): ToolError {
  return new ToolError("binary", `\`${name}\` is not a text file.`);
}

/** The refusal of a file of that many bytes. */
export function tooLarge(name: string, bytes: number): ToolError {
  const size = (Math.ceil((bytes / MAX_BYTES) * 10) / 10).toFixed(1);
  return new ToolError("too_large", `\`${name}\` has ${size} MB; files up to ${MAX_BYTES / 1024 / 1024} MB are read.`);
}
