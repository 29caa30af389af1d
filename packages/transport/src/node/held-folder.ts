import { constants } from "node:fs";
import { lstat, mkdir, open, realpath } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { checkReal, diskError, noFollow, pathOf, type RootedPath } from "./rooted-path.js";

/** Open folder. Paths below `prefix` lead into this folder, even after it was moved. */
export type HeldFolder = { readonly prefix: string; close(): Promise<void> };

/** Flag of Linux that opens a folder without the right to read it. Node has no name for the flag. */
const O_PATH = process.platform === "linux" ? 0o10000000 : constants.O_RDONLY;

const folderFlags = O_PATH | (constants.O_DIRECTORY ?? 0) | noFollow;

/**
 * Opens a folder by its real path, such as the path that the caller has checked. If a link has replaced the folder or a
 * folder above it, it is refused. On systems with `/proc`, paths below `prefix` lead into this folder even if it is
 * renamed. The caller has to close the folder.
 *
 * On systems without `/proc`, one attack is not detected: a folder that is replaced after it was opened.
 *
 * @throws RpcError
 * - invalid params for a folder that was replaced
 * - resource not found for a missing folder, and for a file
 * - internal error if the disk fails
 */
export async function openRealFolder(real: string): Promise<HeldFolder> {
  try {
    return await hold(real, real, real);
  } catch (error) {
    throw diskError(error, real);
  }
}

/**
 * Opens the folder of `target`. Creates missing parent folders one by one, each inside the previous one. A folder that
 * a link has replaced since `target` was resolved is refused.
 */
export async function holdFolder(target: RootedPath, path: string): Promise<HeldFolder> {
  const missing: string[] = [];
  let folder = dirname(target.path);
  while (!(await lstat(folder).catch(() => undefined))) {
    missing.unshift(basename(folder));
    folder = dirname(folder);
  }
  let held = await hold(folder, folder, path);
  for (const name of missing) {
    const inner = join(held.prefix, name);
    folder = join(folder, name);
    try {
      await mkdir(inner).catch(ignoreExisting);
      const next = await hold(inner, folder, path);
      await held.close();
      held = next;
    } catch (error) {
      await held.close();
      throw error;
    }
  }
  return held;
}

/** Opens `place`, and checks that it is the folder with the path `real`. */
async function hold(place: string, real: string, path: string): Promise<HeldFolder> {
  // Windows cannot open a folder in the way a file is opened.
  const handle = process.platform === "win32" ? undefined : await open(place, folderFlags);
  try {
    const found = handle && (await pathOf(handle));
    checkReal(found ?? (await realpath(place)), real, path);
    const prefix = handle && found !== undefined ? `/proc/self/fd/${handle.fd}` : place;
    return { prefix, close: async () => handle?.close() };
  } catch (error) {
    await handle?.close();
    throw error;
  }
}

function ignoreExisting(error: NodeJS.ErrnoException): void {
  if (error.code !== "EEXIST") throw error;
}
