import { constants, fchmodSync, fstatSync, ftruncateSync, openSync, realpathSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { isInside } from "@turnkit/transport/node";

const { O_CREAT, O_WRONLY, O_RDONLY, O_APPEND, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants;
const flags = {
  read: O_RDONLY | O_NOFOLLOW | O_NONBLOCK,
  append: O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK,
  replace: O_WRONLY | O_CREAT | O_NOFOLLOW | O_NONBLOCK,
} as const;

/**
 * Opens a file that only the user can read, and returns its descriptor. An existing file loses the rights of other
 * users. Two kinds of paths are refused, because a repository could contain such links: a link, and a path through a
 * folder link that leads out of the current folder.
 *
 * @throws Error for a link, another user's file, a file with several names, and everything that is not a regular file
 */
export function openPrivateFile(path: string, use: keyof typeof flags): number {
  const here = process.cwd();
  const folder = dirname(resolve(path));
  if (isInside(folder, [here]) && !isInside(realpathSync(folder), [realpathSync(here)])) {
    throw new Error("its folder is a link to another place");
  }
  const file = openSync(path, flags[use], 0o600);
  const { uid, nlink } = fstatSync(file);
  if (!fstatSync(file).isFile() || nlink > 1) throw new Error("it is not a regular file with a single name");
  if (process.getuid !== undefined && uid !== process.getuid()) throw new Error("it belongs to another user");
  fchmodSync(file, 0o600);
  if (use === "replace") ftruncateSync(file);
  return file;
}
