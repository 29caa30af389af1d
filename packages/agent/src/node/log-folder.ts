import { createHash, randomUUID } from "node:crypto";
import { constants } from "node:fs";
import { type FileHandle, mkdir, open, readdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import { setTimeout as delay } from "node:timers/promises";

/** What is in the folder of one session. */
export const files = { log: "log.jsonl", nextLog: "log.next", info: "info.json", lock: "lock.json" } as const;

/** What a folder is called from the moment on in which its session is deleted. */
const DELETED = ".deleted-";

/**
 * The name of a session's folder. Our own ids are names as they are; of any other string a client may send, only the
 * hash is one, so that no id leads out of the log's folder, means a device, or is another's in different case.
 */
export function folderName(sessionId: string): string {
  if (/^[a-z0-9-]{1,64}$/.test(sessionId)) return `s-${sessionId}`;
  return `h-${createHash("sha256").update(sessionId, "utf16le").digest("hex")}`;
}

/** Names of the folders of sessions; none where there is no such folder yet. */
export async function sessionFolders(root: string): Promise<readonly string[]> {
  try {
    return (await readdir(root)).filter((name) => /^[sh]-/.test(name));
  } catch (error) {
    if (isCode(error, "ENOENT")) return [];
    throw error;
  }
}

/** Makes a folder that nobody else can look into. */
export async function makeFolder(path: string): Promise<void> {
  await mkdir(path, { recursive: true, mode: 0o700 });
}

/** Opens a file of ours; never through a link that somebody put in its place. */
export function openFile(path: string, how: "read" | "write" | "replace"): Promise<FileHandle> {
  const { O_RDONLY, O_RDWR, O_CREAT, O_TRUNC, O_NOFOLLOW = 0 } = constants;
  const flags = { read: O_RDONLY, write: O_RDWR, replace: O_RDWR | O_CREAT | O_TRUNC }[how];
  return open(path, flags | O_NOFOLLOW, 0o600);
}

/** Takes a session's folder away in one step; what a dead process left of such is taken along. */
export async function removeFolder(root: string, name: string): Promise<void> {
  await renameOver(join(root, name), join(root, `${DELETED}${randomUUID()}`));
  await syncFolder(root);
  for (const left of await readdir(root)) {
    if (left.startsWith(DELETED)) await rm(join(root, left), { recursive: true, force: true, maxRetries: 3 });
  }
}

/** Removes what a writer that died was about to put in place. Only for who holds the lock. */
export async function removeLeftovers(folder: string): Promise<void> {
  const known: readonly string[] = [files.log, files.info, files.lock];
  for (const name of await readdir(folder)) {
    if (!known.includes(name) && !name.startsWith("lock.")) await rm(join(folder, name), { force: true });
  }
}

/**
 * Renames, over what is there. On Windows whoever looks at a file at that moment (a virus scanner) makes it fail: again
 * then.
 */
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

/** Makes renames in a folder survive the machine's death. Windows has no such call, and some file systems refuse it. */
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

/** Whether an error is one of the system, with one of these codes. */
export function isCode(error: unknown, ...codes: readonly string[]): boolean {
  return error instanceof Error && "code" in error && codes.includes(String(error.code));
}
