import { chmod, open, readdir, readFile, realpath, rename, rm, stat, writeFile } from "node:fs/promises";
import { basename, dirname, isAbsolute, join, relative, sep } from "node:path";
import { isLintable } from "./lint/rules.js";
import { messageOf, ToolError } from "./tools/tool.js";

/** The largest file that is read. A review of more would help nobody, and every byte may cross the wire. */
export const MAX_BYTES = 1024 * 1024;

const SNIFFED_BYTES = 8192;
const LISTED_FILES = 8;

/** Whether `path` is `root` or below it, going by the names alone. */
export function isInside(root: string, path: string): boolean {
  const way = relative(root, path);
  return way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

/**
 * The path behind all links, or nothing if there is no such file.
 *
 * @throws ToolError `outside` if a link leads out of the roots.
 */
export async function realPathInside(
  roots: readonly string[],
  path: string,
  name: string,
): Promise<string | undefined> {
  const real = await existing(path);
  // Of a file that is not there yet, the nearest folder that exists decides.
  let place = real;
  for (let folder = dirname(path); place === undefined && folder !== dirname(folder); folder = dirname(folder)) {
    place = await existing(folder);
  }
  const realRoots = (await Promise.all(roots.map(existing))).filter((root) => root !== undefined);
  // If no root is on this machine, the files are the client's, and so is the judgement.
  if (realRoots.length === 0) return undefined;
  if (place === undefined || !realRoots.some((root) => isInside(root, place))) throw outside(name);
  return real;
}

function existing(path: string): Promise<string | undefined> {
  return realpath(path).catch(() => undefined);
}

/**
 * Looks at a file before anybody reads it: a client too should not have to send a disk image, or wait on a pipe.
 *
 * @throws ToolError `directory`, `unreadable`, `too_large` or `binary`.
 */
export async function refuseUnreadable(real: string, name: string): Promise<void> {
  const found = await stat(real);
  if (found.isDirectory()) throw new ToolError("directory", `\`${name}\` is a folder.${await suggestFiles(real)}`);
  if (!found.isFile()) throw new ToolError("unreadable", `\`${name}\` is not a regular file.`);
  if (found.size > MAX_BYTES) throw tooLarge(name, found.size);
  const head = await readHead(real, name);
  if (head.includes(0)) throw binary(name);
}

async function readHead(real: string, name: string): Promise<Buffer> {
  try {
    const file = await open(real);
    try {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(SNIFFED_BYTES), 0, SNIFFED_BYTES, 0);
      return buffer.subarray(0, bytesRead);
    } finally {
      await file.close();
    }
  } catch (error) {
    throw new ToolError("unreadable", `\`${name}\` cannot be read: ${messageOf(error)}`);
  }
}

async function suggestFiles(folder: string): Promise<string> {
  const names = (await readdir(folder).catch(() => [])).filter(isLintable).sort();
  if (names.length === 0) return "";
  const more = names.length > LISTED_FILES ? `, and ${names.length - LISTED_FILES} more` : "";
  return ` It holds ${names.slice(0, LISTED_FILES).join(", ")}${more}.`;
}

/** The whole text of a file. @throws ToolError `binary` if it is no UTF-8. */
export async function readText(real: string, name: string): Promise<string> {
  const bytes = await readFile(real);
  try {
    // The byte order mark stays: what is written back must differ by the edit only.
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw binary(name);
  }
}

/** Writes by way of a new file, so that a crash leaves the old text or the new one. */
export async function replaceFile(path: string, text: string): Promise<void> {
  const mode = await stat(path).then(
    (found) => found.mode & 0o7777,
    () => undefined,
  );
  const draft = join(dirname(path), `.${basename(path)}.${process.pid}.${Date.now().toString(36)}.tmp`);
  try {
    await writeFile(draft, text, { flag: "wx" });
    if (mode !== undefined) await chmod(draft, mode);
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
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
