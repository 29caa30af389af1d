import { constants } from "node:fs";
import { type FileHandle, lstat, mkdir, open, readlink, realpath } from "node:fs/promises";
import { basename, dirname, join, parse, resolve } from "node:path";
import { RpcError } from "../errors.js";
import { faultOf, isInside } from "./path-form.js";

/** Where a path leads after all links were followed, and whether anything is there. */
export type RootedPath = {
  readonly path: string;
  readonly exists: boolean;
  /** The roots, links followed; `path` is in one of them. */
  readonly roots: readonly string[];
};

/** How to open a file inside roots. */
export type OpenRooted = {
  /** `r+` writes in place. For reading unless said otherwise. */
  readonly mode?: "r" | "r+";
  /**
   * What to do with a file that has several names, one of which may lie outside: nobody can tell. `follow` opens it, as
   * package managers share files so; `refuse` does not. `follow` unless said otherwise.
   */
  readonly hardLinks?: "follow" | "refuse";
};

/** As many links in a row as Linux follows. */
const maxLinks = 40;

/**
 * Finds out where `path` leads and refuses what leads out of `roots`: `..`, names that only begin like a root, links,
 * also dangling ones and chains of them. `..` is resolved before links are followed. What was checked may be exchanged
 * until it is opened: {@link openRooted} checks again.
 *
 * @throws RpcError invalid params for a relative path or one outside, internal error where the disk fails.
 */
export async function resolveRooted(path: string, roots: readonly string[]): Promise<RootedPath> {
  const fault = faultOf(path, roots);
  if (fault !== undefined) throw refusals[fault](path);
  const real: string[] = [];
  for (const root of roots) {
    // A root that does not exist holds nothing.
    const found = await realpath(root).catch(() => undefined);
    if (found !== undefined) real.push(found);
  }
  const target = await follow(resolve(path), maxLinks).catch((error: unknown) => {
    throw diskError(error, path);
  });
  if (!isInside(target.path, real)) throw outside(path);
  return { ...target, roots: real };
}

/**
 * Opens an existing regular file inside `roots` for reading (or, with `"r+"`, for writing in place). The check is made
 * on what was opened, so exchanging a folder for a link in between does not help; a FIFO cannot make it hang. The
 * caller closes the handle.
 *
 * Not seen through: on systems without `/proc` an exchange there and back between two checks.
 *
 * @throws RpcError invalid params for a relative path, one outside, or a file of several names where they are refused;
 * resource not found for a missing file; internal error for what is no regular file or cannot be read.
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
    // Asked before opening too: opening a device can have effects.
    if (!(await lstat(target.path)).isFile()) throw notRegular(path);
    const access = options.mode === "r+" ? constants.O_RDWR : constants.O_RDONLY;
    handle = await open(target.path, access | noFollow | (constants.O_NONBLOCK ?? 0));
    await checkOpened(handle, target, path);
    if (options.hardLinks === "refuse" && !(await hasOneName(handle, target.path))) throw severalNames(path);
    return handle;
  } catch (error) {
    await handle?.close();
    throw diskError(error, path);
  }
}

/**
 * The real path of an existing folder inside `roots`.
 *
 * @throws RpcError invalid params if it is relative, outside or no folder.
 */
export async function resolveRootedFolder(path: string, roots: readonly string[]): Promise<string> {
  const target = await resolveRooted(path, roots);
  const found = target.exists ? await lstat(target.path).catch(() => undefined) : undefined;
  if (!found?.isDirectory()) throw RpcError.invalidParams(`there is no such folder: ${path}`);
  return target.path;
}

/** A folder held open; names are looked up in it, wherever it is moved. */
export type HeldFolder = { readonly prefix: string; close(): Promise<void> };

/**
 * Holds the folder of `target` open, with its missing parents made one by one, each inside the one before. Where the
 * system has `/proc`, paths below `prefix` reach this very folder, whatever happens to its name meanwhile.
 */
export async function holdFolder(target: RootedPath, path: string): Promise<HeldFolder> {
  const missing: string[] = [];
  let folder = dirname(target.path);
  while (!(await lstat(folder).catch(() => undefined))) {
    missing.unshift(basename(folder));
    folder = dirname(folder);
  }
  let held = await hold(folder, target.roots, path);
  for (const name of missing) {
    const inner = join(held.prefix, name);
    try {
      await mkdir(inner).catch(ignoreExisting);
      const next = await hold(inner, target.roots, path);
      await held.close();
      held = next;
    } catch (error) {
      await held.close();
      throw error;
    }
  }
  return held;
}

async function hold(folder: string, roots: readonly string[], path: string): Promise<HeldFolder> {
  // Windows cannot open a folder like a file.
  const handle = process.platform === "win32" ? undefined : await open(folder, folderFlags);
  try {
    const found = handle && (await pathOf(handle));
    if (!isInside(found ?? (await realpath(folder)), roots)) throw outside(path);
    const prefix = handle && found !== undefined ? `/proc/self/fd/${handle.fd}` : folder;
    return { prefix, close: async () => handle?.close() };
  } catch (error) {
    await handle?.close();
    throw error;
  }
}

function ignoreExisting(error: NodeJS.ErrnoException): void {
  if (error.code !== "EEXIST") throw error;
}

/** What the disk said, as an answer for the peer. */
export function diskError(error: unknown, path: string): unknown {
  if (error instanceof RpcError) return error;
  const code = (error as NodeJS.ErrnoException).code;
  if (code === "ENOENT" || code === "ENOTDIR") return RpcError.resourceNotFound({ path });
  const what = words[code ?? ""] ?? (error instanceof Error ? error.message : String(error));
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

// Windows has no such flag; there realpath is the only guard.
const noFollow = constants.O_NOFOLLOW ?? 0;
const folderFlags = constants.O_RDONLY | (constants.O_DIRECTORY ?? 0) | noFollow;

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
  // A dangling link is followed by hand: writing through it would create a file at its far end.
  const link = parent.exists ? await readlink(here).catch(() => undefined) : undefined;
  if (link === undefined) return { path: here, exists: false };
  if (links === 0) throw Object.assign(new Error("too many symbolic links"), { code: "ELOOP" });
  return follow(resolve(parent.path, link), links - 1);
}

async function checkOpened(handle: FileHandle, target: RootedPath, path: string): Promise<void> {
  const opened = await handle.stat();
  if (!opened.isFile()) throw notRegular(path);
  const held = await pathOf(handle);
  if (held !== undefined) {
    if (!isInside(held, target.roots)) throw outside(path);
    return;
  }
  const now = await realpath(target.path);
  const named = await lstat(now);
  if (!isInside(now, target.roots) || named.ino !== opened.ino || named.dev !== opened.dev) throw outside(path);
}

/** Whether the name by which it was opened is there and is its only one; it may have been taken away since. */
async function hasOneName(handle: FileHandle, path: string): Promise<boolean> {
  if ((await handle.stat()).nlink !== 1) return false;
  const named = await lstat((await pathOf(handle)) ?? path).catch(() => undefined);
  const { nlink, ino, dev } = await handle.stat();
  return nlink === 1 && named?.ino === ino && named.dev === dev;
}

/** Where an open file is at this moment; only Linux can tell. */
async function pathOf(handle: FileHandle): Promise<string | undefined> {
  if (process.platform !== "linux") return undefined;
  return readlink(`/proc/self/fd/${handle.fd}`).catch(() => undefined);
}

function outside(path: string): RpcError {
  return RpcError.invalidParams(`the path is outside of the session's folders: ${path}`);
}

/** The answer to a file of which another name may lie outside. */
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

/** The answer for a folder, a device or a pipe where a file is needed. */
export function notRegular(path: string): RpcError {
  return RpcError.internalError(`${path}: it is no regular file`);
}
