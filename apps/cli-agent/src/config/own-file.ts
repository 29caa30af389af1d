import type { Stats } from "node:fs";
import { constants } from "node:fs";
import { lstat, open } from "node:fs/promises";
import { ConfigError } from "../errors.js";

type Owned = Pick<Stats, "uid" | "mode"> & { isSymbolicLink(): boolean };

/** Returns `true` if a file or folder belongs to this user or to the system, and is not writable for everyone. */
function isOwn(found: Owned): boolean {
  const { uid } = found;
  const me = process.getuid?.();
  // Windows has no such owners and modes.
  if (me === undefined) return true;
  // The mode of a link has no effect.
  return (uid === me || uid === 0) && (found.isSymbolicLink() || (found.mode & 0o002) === 0);
}

/**
 * Reads a file that controls the agent, such as the configuration.
 *
 * @returns `undefined` if there is no such file
 * @throws ConfigError for a file that cannot be read, belongs to another user, or is writable for everyone
 */
export async function readOwnFile(path: string): Promise<string | undefined> {
  try {
    const handle = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    try {
      const found = await handle.stat();
      if (found.isFile() && !isOwn(found)) {
        throw new ConfigError(`${path} is not used: it belongs to another user, or others may write it.`);
      }
      return await handle.readFile("utf8");
    } finally {
      await handle.close();
    }
  } catch (error) {
    if (error instanceof ConfigError) throw error;
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw new ConfigError(`${path} cannot be read: ${(error as Error).message}.`);
  }
}

/**
 * Returns `true` if the path belongs to this user or to the system, and is not writable for everyone. Links are not
 * followed.
 */
export async function isOwnPath(path: string): Promise<boolean> {
  return lstat(path).then(isOwn, () => false);
}
