import { constants } from "node:fs";
import { open, readdir, realpath, stat } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";

/** Largest file of a repository that is read here, in bytes. */
const MAX_BYTES = 64 * 1024;

/** Largest file that Git reads as a whole, in bytes. An index of 1 GiB has millions of files. */
const MAX_WHOLE = 1024 * 1024 * 1024;

/** Maximum number of files and folders of a repository, and of its folders with objects. */
const MAX_ENTRIES = 500_000;
const MAX_ALTERNATES = 50;

/** Files that Git reads as a whole, before it says where the repository is. */
const READ_FIRST =
  "HEAD,commondir,config,config.worktree,gitdir,index,packed-refs,shallow,info/exclude,objects/info/alternates";

/** Folders and files of a repository that name commits, or have objects. */
const READ_FOLDERS = /^(?:logs|objects|refs|reftable)$/i;
const READ_FILES = /^(?:packed-refs|shallow|index|sharedindex\..*|[A-Z_]*HEAD)$/i;

/**
 * Returns the text of a small file of a repository. Returns an empty text if there is no such file.
 *
 * @throws Error for a device, a pipe, and a file above 64 KiB
 */
export async function readSmall(path: string): Promise<string> {
  // Opening a pipe would wait for its other end.
  const flags = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);
  const handle = await open(path, flags).catch(() => undefined);
  if (handle === undefined) return "";
  try {
    const found = await handle.stat();
    if (!found.isFile() || found.size > MAX_BYTES) throw new Error(`${path} is not a file of at most 64 KiB`);
    return await handle.readFile("utf8");
  } finally {
    await handle.close();
  }
}

/**
 * Returns a file that Git could not read to its end, such as a link to a device, or a file above 1 GiB. Looks at the
 * repositories in a folder and in the folders above it. Returns `undefined` if there is no such file.
 */
export async function endlessFile(folder: string): Promise<string | undefined> {
  for (let at = resolve(folder); ; at = dirname(at)) {
    for (const git of [join(at, ".git"), at]) {
      if (git === at && (await stat(join(at, "objects")).catch(() => undefined)) === undefined) continue;
      for (const name of READ_FIRST.split(",")) {
        const found = await stat(join(git, name)).catch(() => undefined);
        if (found !== undefined && (!found.isFile() || found.size > MAX_WHOLE)) return join(git, name);
      }
    }
    if (dirname(at) === at) return undefined;
  }
}

/**
 * Returns `true` if the commits, branches and objects of a repository belong to it. No link among them may lead to a place
 * that is not accepted. The same applies to alternates, and to alternates of alternates.
 *
 * @param folders real paths of the repository's own folder and of the common one
 * @param isOurs accepts a real path
 */
export async function hasOwnFiles(folders: readonly string[], isOurs: (path: string) => boolean): Promise<boolean> {
  const walk: Walk = { isOurs, left: MAX_ENTRIES, known: new Set() };
  for (const folder of folders) {
    if (!(await areOwn(folder, walk, (name, isFolder) => (isFolder ? READ_FOLDERS : READ_FILES).test(name))))
      return false;
  }
  const waiting = folders.map((folder) => join(folder, "objects"));
  const known = new Set<string>();
  for (let path = waiting.shift(); path !== undefined; path = waiting.shift()) {
    const objects = await realpath(path).catch(() => undefined);
    // The own folder of a worktree has no objects. A missing alternate could appear later.
    if (objects === undefined && folders.includes(dirname(path))) continue;
    if (objects === undefined || !isOurs(objects) || known.size > MAX_ALTERNATES) return false;
    if (known.has(objects)) continue;
    known.add(objects);
    const alternates = await readSmall(join(objects, "info", "alternates")).catch(() => undefined);
    if (alternates === undefined || !(await areOwn(objects, walk))) return false;
    const lines = alternates.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
    waiting.push(...lines.map((line) => resolve(objects, line)));
  }
  return true;
}

type Walk = { readonly isOurs: (path: string) => boolean; left: number; readonly known: Set<string> };

/** Returns `true` if a folder has no device, no pipe, and no link to another place than an accepted one. */
async function areOwn(
  folder: string,
  walk: Walk,
  isRead: (name: string, isFolder: boolean) => boolean = () => true,
): Promise<boolean> {
  if (walk.known.has(folder)) return true;
  walk.known.add(folder);
  for (const entry of await readdir(folder, { withFileTypes: true }).catch(() => [])) {
    walk.left -= 1;
    if (walk.left < 0) return false;
    // Git can read nothing through a link to a file that does not exist.
    const named = join(folder, entry.name);
    const path = entry.isSymbolicLink() ? await realpath(named).catch(() => undefined) : named;
    if (path === undefined) continue;
    const found = entry.isSymbolicLink() ? await stat(path).catch(() => undefined) : entry;
    if (found === undefined || !isRead(entry.name, found.isDirectory())) continue;
    if (!(found.isFile() || found.isDirectory() || found.isSocket())) return false;
    if (entry.isSymbolicLink() && !walk.isOurs(path)) return false;
    if (found.isDirectory() && !(await areOwn(path, walk))) return false;
  }
  return true;
}
