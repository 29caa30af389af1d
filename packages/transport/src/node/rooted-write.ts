import { constants, type Stats } from "node:fs";
import { access, type FileHandle, lstat, open, rename, unlink } from "node:fs/promises";
import { basename } from "node:path";
import { RpcError } from "../errors.js";
import { type HeldFolder, holdFolder } from "./held-folder.js";
import {
  checkReal,
  diskError,
  notRegular,
  type OpenRooted,
  openRooted,
  type RootedPath,
  resolveRooted,
} from "./rooted-path.js";

/**
 * Replaces the content of a file inside `roots`, or creates the file and its missing parents.
 *
 * - Readers see the old content or the new content, never a mixture.
 * - The mode of the file is not changed. A link to the file stays a link.
 * - The file loses access control lists and extended attributes. Node cannot copy them. A write in place could keep
 *   them, but could leave a part of the content after a crash.
 * - The other names (hard links) of a file keep the old content.
 * - If its folder accepts no new files, a file with a single name is written in place.
 * - If a link replaces the file or its folder during the call, nothing is written.
 *
 * @param options `real`: real path that the written file must have, such as the path that the caller has checked
 * @throws RpcError
 * - invalid params for a relative path, a path outside, or a file other than `real`
 * - internal error for a target that is not a regular file or cannot be written
 */
export async function writeRooted(
  path: string,
  roots: readonly string[],
  content: string,
  options: Pick<OpenRooted, "real"> = {},
): Promise<void> {
  const target = await resolveRooted(path, roots);
  checkReal(target.path, options.real, path);
  // The parent of a root is outside, but "outside" would be a confusing answer for the root itself.
  if (target.roots.includes(target.path)) throw notRegular(path);
  let folder: HeldFolder | undefined;
  try {
    folder = await holdFolder(target, path);
    await replace(folder, target, path, content);
  } catch (error) {
    // Missing folders are created, so "not found" means another failure here.
    const code = (error as NodeJS.ErrnoException).code;
    if (code === "ENOENT" || code === "ENOTDIR") throw RpcError.internalError(`${path}: its folder cannot be created`);
    throw diskError(error, path);
  } finally {
    await folder?.close();
  }
}

async function replace(folder: HeldFolder, target: RootedPath, path: string, content: string): Promise<void> {
  const name = basename(target.path);
  const place = `${folder.prefix}/${name}`;
  const before = await lstat(place).catch(() => undefined);
  // The link was created after the check.
  if (before && !before.isFile()) throw notRegular(path);
  // A rename would also replace a file that has no write permission.
  if (before) await access(place, constants.W_OK);
  // 70 characters take at most 210 of the 255 bytes that a name may have.
  const temporary = `${folder.prefix}/.${name.slice(0, 70)}.${crypto.randomUUID()}.tmp`;
  let handle: FileHandle;
  try {
    handle = await open(temporary, "wx", before ? 0o600 : 0o666);
  } catch (error) {
    if (before && takesNoFiles(error)) return writeInPlace(path, target, content);
    throw error;
  }
  try {
    try {
      await handle.writeFile(content, "utf8");
      if (before) await keepOwner(handle, before);
    } finally {
      await handle.close();
    }
    await rename(temporary, place);
  } catch (error) {
    await unlink(temporary).catch(() => {});
    throw error;
  }
}

function takesNoFiles(error: unknown): boolean {
  const code = (error as NodeJS.ErrnoException).code ?? "";
  return code === "EACCES" || code === "EPERM" || code === "EROFS";
}

async function keepOwner(handle: FileHandle, before: Stats): Promise<void> {
  // Most users may not change the owner of a file. The file then belongs to this user, as it does after a save in an
  // editor.
  await handle.chown(before.uid, before.gid).catch(() => {});
  await handle.chmod(before.mode & 0o7777);
}

async function writeInPlace(path: string, target: RootedPath, content: string): Promise<void> {
  const handle = await openRooted(path, target.roots, { mode: "r+", hardLinks: "refuse", real: target.path });
  try {
    await handle.truncate(0);
    await handle.writeFile(content, "utf8");
  } finally {
    await handle.close();
  }
}
