import { chmod, mkdir, mkdtemp, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { statePath } from "./folders.js";
import { hasEnded, processMark } from "./process-mark.js";

/** Parts of the state that hold private folders: of package runners, and for the temporary files of commands. */
export type PrivatePart = "runners" | "tmp";

/** Creates an empty folder that only this user can read. Removes the folders of agents that were killed. */
export async function createPrivateFolder(part: PrivatePart): Promise<string> {
  const folder = statePath(part);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await removeLeftFolders(part);
  return mkdtemp(join(folder, `run-${await processMark()}-`));
}

/** Removes a private folder with everything in it. Never rejects. */
export async function removePrivateFolder(path: string): Promise<void> {
  // Processes that were killed may write for a moment longer.
  const remove = () => rm(path, { recursive: true, force: true, maxRetries: 5 });
  // Some package managers take the right to write from the folders of their caches.
  await remove().catch(() =>
    unlock(path)
      .then(remove)
      .catch(() => undefined),
  );
}

async function unlock(folder: string): Promise<void> {
  await chmod(folder, 0o700);
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    if (entry.isDirectory()) await unlock(join(folder, entry.name));
  }
}

/** Removes the private folders of agents that were killed. */
export async function removeLeftFolders(part: PrivatePart): Promise<void> {
  const folder = statePath(part);
  for (const name of await readdir(folder).catch(() => [])) {
    const [, mark = ""] = /^run-(.*)-[^-]*$/.exec(name) ?? [];
    // Another agent may remove the same folder at the same time.
    if (await hasEnded(mark)) await removePrivateFolder(join(folder, name));
  }
}
