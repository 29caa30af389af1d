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
 * Returns the name of a session's folder: an id of the runtime as it is, any other id as a hash. No name leads out of the
 * log's folder, is that of a device, or equals another in different case.
 */
export function folderName(sessionId: string): string {
  if (/^[a-z0-9-]{1,64}$/.test(sessionId)) return `s-${sessionId}`;
  return `h-${createHash("sha256").update(sessionId, "utf16le").digest("hex")}`;
}

/** Returns the names of the folders of sessions; none if `root` does not exist. */
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

/** Opens a file of the log, but never through a symbolic link. */
export function openFile(path: string, how: "read" | "write" | "replace"): Promise<FileHandle> {
  const { O_RDONLY, O_RDWR, O_CREAT, O_TRUNC, O_NOFOLLOW = 0 } = constants;
  const flags = { read: O_RDONLY, write: O_RDWR, replace: O_RDWR | O_CREAT | O_TRUNC }[how];
  return open(path, flags | O_NOFOLLOW, 0o600);
}

/** Returns the status of a file, `undefined` if there is none. */
export async function statOf(path: string): Promise<Stats | undefined> {
  try {
    return await stat(path);
  } catch (error) {
    if (isCode(error, "ENOENT", "ENOTDIR")) return undefined;
    throw error;
  }
}

/** Removes a session's folder in one step, and the rest of earlier removals that a crash interrupted. */
export async function removeFolder(root: string, name: string): Promise<void> {
  await renameOver(join(root, name), join(root, `${DELETED}${randomUUID()}`));
  await syncFolder(root);
  for (const left of await readdir(root)) {
    if (left.startsWith(DELETED)) await rm(join(root, left), { recursive: true, force: true, maxRetries: 3 });
  }
}

/** Removes drafts of a dead writer. Call it only with the lock. */
export async function removeLeftovers(folder: string): Promise<void> {
  const known: readonly string[] = [files.log, files.info, files.lock];
  for (const name of await readdir(folder)) {
    if (!known.includes(name) && !name.startsWith("lock.")) await rm(join(folder, name), { force: true });
  }
}

/** Renames a file over another. Retries on Windows, where a virus scanner that reads the file makes a rename fail. */
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

/** Makes renames in a folder durable. Windows has no such call, and some file systems refuse it. */
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
