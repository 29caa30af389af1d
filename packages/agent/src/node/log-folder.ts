import { createHash, randomUUID } from "node:crypto";
import { constants, type Stats } from "node:fs";
import { type FileHandle, mkdir, open, readdir, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import { setTimeout as delay } from "node:timers/promises";

/** Names of the files of one session. */
export const files = { log: "log.jsonl", nextLog: "log.next", info: "info.json", lock: "lock.json" } as const;

/** Prefix of the folders of deleted sessions. */
const DELETED = ".deleted-";

/**
 * Returns the name of a session's folder. An id made by the runtime is the name itself; any other id is hashed. The name is
 * always one folder inside the log's folder, is never the name of a device, and never differs from another name only in
 * case.
 */
export function folderName(sessionId: string): string {
  if (/^[a-z0-9-]{1,64}$/.test(sessionId)) return `s-${sessionId}`;
  return `h-${createHash("sha256").update(sessionId, "utf16le").digest("hex")}`;
}

/** Returns the names of all session folders. Returns an empty list if `root` does not exist. */
export async function sessionFolders(root: string): Promise<readonly string[]> {
  try {
    return (await readdir(root)).filter((name) => /^[sh]-/.test(name));
  } catch (error) {
    if (isCode(error, "ENOENT")) return [];
    throw error;
  }
}

/** Creates a folder that other users cannot read. */
export async function makeFolder(path: string): Promise<void> {
  await mkdir(path, { recursive: true, mode: 0o700 });
}

/** Opens a file of the log. Symbolic links are refused. */
export function openFile(path: string, how: "read" | "write" | "replace"): Promise<FileHandle> {
  const { O_RDONLY, O_RDWR, O_CREAT, O_TRUNC, O_NOFOLLOW = 0 } = constants;
  const flags = { read: O_RDONLY, write: O_RDWR, replace: O_RDWR | O_CREAT | O_TRUNC }[how];
  return open(path, flags | O_NOFOLLOW, 0o600);
}

/** Returns the status of a file, or `undefined` if the file does not exist. */
export async function statOf(path: string): Promise<Stats | undefined> {
  try {
    return await stat(path);
  } catch (error) {
    if (isCode(error, "ENOENT", "ENOTDIR")) return undefined;
    throw error;
  }
}

/** Removes a session's folder in one step. Also finishes earlier removals that a crash interrupted. */
export async function removeFolder(root: string, name: string): Promise<void> {
  await renameOver(join(root, name), join(root, `${DELETED}${randomUUID()}`));
  await syncFolder(root);
  for (const left of await readdir(root)) {
    if (left.startsWith(DELETED)) await rm(join(root, left), { recursive: true, force: true, maxRetries: 3 });
  }
}

/** Removes drafts of a dead writer. Call it only while this process holds the lock. */
export async function removeLeftovers(folder: string): Promise<void> {
  const known: readonly string[] = [files.log, files.info, files.lock];
  for (const name of await readdir(folder)) {
    if (!known.includes(name) && !name.startsWith("lock.")) await rm(join(folder, name), { force: true });
  }
}

/** Renames a file over another. Retries on Windows, where a rename fails while a virus scanner reads the file. */
export async function renameOver(from: string, to: string): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await rename(from, to);
    } catch (error) {
      const busy = isCode(error, "EPERM", "EACCES", "EBUSY");
      if (process.platform !== "win32" || !busy || attempt === 8) throw error;
      await delay(2 ** attempt);
    }
  }
}

/** Makes renames in a folder durable. Does nothing on Windows and on file systems that do not support this. */
export async function syncFolder(path: string): Promise<void> {
  if (process.platform === "win32") return;
  const folder = await open(path, "r");
  try {
    await folder.sync();
  } catch (error) {
    if (!isCode(error, "EINVAL", "ENOTSUP", "EISDIR")) throw error;
  } finally {
    await folder.close();
  }
}

/** Returns true for an error of the system with one of these codes. */
export function isCode(error: unknown, ...codes: readonly string[]): boolean {
  return error instanceof Error && "code" in error && codes.includes(String(error.code));
}
