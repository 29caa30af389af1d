import { constants } from "node:fs";
import { lstat, open } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { oneLine } from "../sanitise.js";

const MAX_BYTES = 4096;
/** Maximum number of folders above the session's directory. */
const MAX_LEVELS = 64;

/**
 * Returns the branch of the repository that contains a directory, or the first seven digits of a detached commit.
 * Returns `undefined` if there is none. Only the text of `HEAD` is read. Git is not started, because the configuration
 * of a repository can start programs.
 */
export async function readBranch(directory: string): Promise<string | undefined> {
  let folder = directory;
  for (let level = 0; level < MAX_LEVELS; level += 1) {
    const git = join(folder, ".git");
    const found = await lstat(git).catch(() => undefined);
    if (found?.isDirectory()) return branchIn(await textOf(join(git, "HEAD")));
    if (found?.isFile()) {
      // In a worktree and in a submodule, `.git` is a file with the place of the folder.
      const place = /^gitdir: ([^\r\n]+)/.exec(await textOf(git))?.[1];
      return place === undefined ? undefined : branchIn(await textOf(join(resolve(folder, place), "HEAD")));
    }
    if (dirname(folder) === folder) return undefined;
    folder = dirname(folder);
  }
  return undefined;
}

function branchIn(head: string): string | undefined {
  const [, name, commit] = /^(?:ref: refs\/heads\/([^\r\n]{1,250})|([\da-f]{7})[\da-f]{33,57})\r?\n?$/.exec(head) ?? [];
  return name === undefined ? commit : oneLine(name);
}

/** Returns the beginning of a regular file, or an empty text. A pipe or a device is not read. */
async function textOf(path: string): Promise<string> {
  const file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0)).catch(() => undefined);
  if (file === undefined) return "";
  try {
    if (!(await file.stat()).isFile()) return "";
    const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(MAX_BYTES), position: 0 });
    return buffer.toString("utf8", 0, bytesRead);
  } catch {
    return "";
  } finally {
    await file.close();
  }
}
