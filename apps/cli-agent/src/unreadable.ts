import { readdir, stat } from "node:fs/promises";
import { isRpcError, rpcErrorCode } from "@turnkit/transport";
import { binary, MAX_BYTES, messageOf, notFound, outside, ToolError, tooLarge } from "./errors.js";
import { isLintable } from "./lint/oxlint.js";

const LISTED_FILES = 8;

/**
 * Refuses folders, special files and files that are too large, before the client sends the content. `path` is inside
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

/**
 * Returns the text if it is neither too long nor binary.
 *
 * @throws ToolError for every other text
 */
export function checked(text: string, name: string): string {
  if (text.length > MAX_BYTES) throw tooLarge(name, Buffer.byteLength(text));
  if (text.includes("\0")) throw binary(name);
  return text;
}

/** Returns the error for a folder that cannot be used: it leads outside, is a file, or does not exist. */
export async function noFolder(path: string, name: string, error: unknown): Promise<ToolError> {
  const data = reasonOf(error);
  if (data.includes("outside")) return outside(name);
  const found = await stat(path).catch(() => undefined);
  return found ? new ToolError("not_found", `\`${name}\` is a file and no folder.`) : notFound(name);
}

/** Returns the error for a file that cannot be read: it does not exist, is binary, or the disk refused. */
export function unreadable(name: string, error: unknown): ToolError {
  if (isRpcError(error, rpcErrorCode.resourceNotFound)) return notFound(name);
  const reason = reasonOf(error);
  return reason.endsWith("not UTF-8 text")
    ? binary(name)
    : new ToolError("unreadable", `\`${name}\` cannot be read: ${reason}`);
}

/** Returns the reason of an error. Local files and most clients put the reason into `data.details`. */
export function reasonOf(error: unknown): string {
  const data = isRpcError(error) ? (error.data as { details?: unknown } | undefined) : undefined;
  return typeof data?.details === "string" ? data.details : messageOf(error);
}
