import { constants } from "node:fs";
import { type FileHandle, lstat, open, readlink, realpath } from "node:fs/promises";
import { basename, dirname, join, parse, resolve } from "node:path";
import { RpcError, textOf } from "../errors.js";
import { faultOf, isInside } from "./path-form.js";

/** The target of a path, with all links resolved. */
export type RootedPath = {
  readonly path: string;
  readonly exists: boolean;
  /** Roots with all links resolved. `path` is in one of them. */
  readonly roots: readonly string[];
};

/** Options of opening a file inside roots. */
export type OpenRooted = {
  /**
   * `r` opens for reading. `r+` also opens for writing in place.
   *
   * @defaultValue `r`
   */
  readonly mode?: "r" | "r+";
  /**
   * Handling of files with several names (hard links). One of the names may be outside of the roots. `follow` opens
   * such files, because package managers create them. `refuse` does not open them.
   *
   * @defaultValue `follow`
   */
  readonly hardLinks?: "follow" | "refuse";
  /**
   * Real path that the opened file must have, such as the path that the caller has checked. Upper and lower case and
   * Unicode forms are not compared. If a link has replaced the file since the check, the file is refused.
   */
  readonly real?: string;
};

/** Maximum number of successive links, as on Linux. */
const maxLinks = 40;

/**
 * Resolves `path`. Refuses a target outside of `roots`. Chains of links and dangling links are followed. `..` is
 * resolved before links. Another process may replace the target before it is opened, so {@link openRooted} checks the
 * file again.
 *
 * @throws RpcError
 * - invalid params for a relative path, a path outside, or a path in a root that does not exist
 * - internal error if the disk fails
 */
export async function resolveRooted(path: string, roots: readonly string[]): Promise<RootedPath> {
  const fault = faultOf(path, roots);
  if (fault !== undefined) throw refusals[fault](path);
  const real: string[] = [];
  const missing: string[] = [];
  for (const root of roots) {
    const found = await realpath(root).catch(() => undefined);
    if (found === undefined) missing.push(root);
    else real.push(found);
  }
  const target = await follow(resolve(path), maxLinks).catch((error: unknown) => {
    throw diskError(error, path);
  });
  if (isInside(target.path, real)) return { ...target, roots: real };
  const root = missing.find((one) => isInside(resolve(path), [one]));
  throw root === undefined ? outside(path) : RpcError.invalidParams(`the session's folder does not exist: ${root}`);
}

/**
 * Opens an existing regular file inside `roots` for reading. With `"r+"`, also opens it for writing in place. The
 * opened file is checked, so replacing a folder with a link has no effect. A FIFO cannot block the call. The caller has
 * to close the handle.
 *
 * On systems without `/proc`, one attack is not detected: a folder that is replaced and restored between two checks.
 *
 * @throws RpcError
 * - invalid params for a relative path, a path outside, a file other than `real`, or a refused file with several names
 * - resource not found for a missing file
 * - internal error for a target that is not a regular file or cannot be read
 */
export async function openRooted(
  path: string,
  roots: readonly string[],
  options: OpenRooted = {},
): Promise<FileHandle> {
  const target = await resolveRooted(path, roots);
  if (!target.exists) throw RpcError.resourceNotFound({ path });
  let handle: FileHandle | undefined;
  try {
    // The file is also checked before it is opened, because opening a device can have effects.
    if (!(await lstat(target.path)).isFile()) throw notRegular(path);
    const access = options.mode === "r+" ? constants.O_RDWR : constants.O_RDONLY;
    handle = await open(target.path, access | noFollow | (constants.O_NONBLOCK ?? 0));
    const real = await checkOpened(handle, target, path);
    checkReal(real, options.real, path);
    if (options.hardLinks === "refuse" && !(await hasOneName(handle, target.path))) throw severalNames(path);
    return handle;
  } catch (error) {
    await handle?.close();
    throw diskError(error, path);
  }
}

/**
 * Returns the real path of an existing folder inside `roots`.
 *
 * @throws RpcError invalid params if the path is relative, outside, or not a folder
 */
export async function resolveRootedFolder(path: string, roots: readonly string[]): Promise<string> {
  const target = await resolveRooted(path, roots);
  const found = target.exists ? await lstat(target.path).catch(() => undefined) : undefined;
  if (!found?.isDirectory()) throw RpcError.invalidParams(`there is no such folder: ${path}`);
  return target.path;
}

/** Converts an error of the disk to an answer for the peer. */
export function diskError(error: unknown, path: string): unknown {
  if (error instanceof RpcError) return error;
  const code = (error as NodeJS.ErrnoException).code;
  if (code === "ENOENT" || code === "ENOTDIR") return RpcError.resourceNotFound({ path });
  const what = words[code ?? ""] ?? textOf(error);
  return RpcError.internalError(`${path}: ${what}`);
}

const words: Readonly<Record<string, string>> = {
  EACCES: "permission denied",
  EPERM: "the system does not permit it",
  EISDIR: "it is a folder",
  ELOOP: "too many symbolic links",
  ENOSPC: "the disk is full",
  EROFS: "the file system is read-only",
  ENAMETOOLONG: "the name is too long",
  EEXIST: "a part of the path is a file where a folder is needed",
};

/** Flag that refuses a link. Windows has no such flag. On Windows, only `realpath` detects links. */
export const noFollow = constants.O_NOFOLLOW ?? 0;

async function follow(path: string, links: number): Promise<{ path: string; exists: boolean }> {
  try {
    return { path: await realpath(path), exists: true };
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code !== "ENOENT" && code !== "ENOTDIR") throw error;
  }
  if (path === parse(path).root) return { path, exists: false };
  const parent = await follow(dirname(path), links);
  const here = join(parent.path, basename(path));
  // A dangling link is resolved here, because a write through it would create a file at its target.
  const link = parent.exists ? await readlink(here).catch(() => undefined) : undefined;
  if (link === undefined) return { path: here, exists: false };
  if (links === 0) throw Object.assign(new Error("too many symbolic links"), { code: "ELOOP" });
  return follow(resolve(parent.path, link), links - 1);
}

/** Checks an open file, and returns its real path. */
async function checkOpened(handle: FileHandle, target: RootedPath, path: string): Promise<string> {
  const opened = await handle.stat();
  if (!opened.isFile()) throw notRegular(path);
  const held = await pathOf(handle);
  if (held !== undefined) {
    if (!isInside(held, target.roots)) throw outside(path);
    return held;
  }
  const now = await realpath(target.path);
  const named = await lstat(now);
  if (!isInside(now, target.roots) || named.ino !== opened.ino || named.dev !== opened.dev) throw outside(path);
  return now;
}

/**
 * Compares the path of an opened file or folder with the path that the caller has checked.
 *
 * @throws RpcError invalid params for another file or folder
 */
export function checkReal(found: string, expected: string | undefined, path: string): void {
  if (expected !== undefined && foldedName(found) !== foldedName(expected)) throw replaced(path);
}

/** Returns a name in a form that is equal for all spellings that a file system may take for the same name. */
const foldedName = (path: string): string => path.normalize("NFC").toLowerCase();

/** Returns `true` if an open file still has the name with which it was opened, and no other name. */
async function hasOneName(handle: FileHandle, path: string): Promise<boolean> {
  if ((await handle.stat()).nlink !== 1) return false;
  const named = await lstat((await pathOf(handle)) ?? path).catch(() => undefined);
  const { nlink, ino, dev } = await handle.stat();
  return nlink === 1 && named?.ino === ino && named.dev === dev;
}

/** Returns the current path of an open file or folder. Works on Linux only. */
export async function pathOf(handle: FileHandle): Promise<string | undefined> {
  if (process.platform !== "linux") return undefined;
  return readlink(`/proc/self/fd/${handle.fd}`).catch(() => undefined);
}

function outside(path: string): RpcError {
  return RpcError.invalidParams(`the path is outside of the session's folders: ${path}`);
}

function replaced(path: string): RpcError {
  return RpcError.invalidParams(`the file was replaced before it was opened: ${path}`);
}

/** Returns the answer for a file with a second name, which may be outside of the roots. */
function severalNames(path: string): RpcError {
  return RpcError.invalidParams(`the file has several names (hard links), which is not allowed here: ${path}`);
}

const refusals = {
  NUL: () => RpcError.invalidParams("the path holds a NUL character"),
  "too long": () => RpcError.invalidParams("the path is longer than any system takes"),
  relative: (path: string) => RpcError.invalidParams(`the path must be absolute: ${path}`),
  "no plain file": (path: string) => RpcError.invalidParams(`the path must name a plain file: ${path}`),
  outside,
} as const;

/** Returns the answer for a folder, device or pipe where a file is needed. */
export function notRegular(path: string): RpcError {
  return RpcError.internalError(`${path}: it is not a regular file`);
}
