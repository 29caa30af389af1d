import { randomUUID } from "node:crypto";
import { constants } from "node:fs";
import { access, copyFile, lstat, rename, rm, stat, utimes } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { ShadowGit } from "./shadow-git.js";

/** Bounds of a snapshot. A file above the first bound is left out. Above the other two bounds there is no snapshot. */
const MAX_FILE_BYTES = 5 * 1024 * 1024;
const MAX_FILES = 50_000;
const MAX_BYTES = 1024 * 1024 * 1024;

const AT_ONCE = 64;

/** Id of the stored state of all files. */
export type Tree = string;

/** State of all files. `omitted` lists the files and folders that the snapshot left out. A folder ends with `/`. */
export type Snapshot = { readonly tree: Tree; readonly omitted: ReadonlySet<string> };

/** Side of a change: mode and id of a file's content. Absent if the file does not exist there. */
type Side = { readonly mode: string; readonly blob: string };

/** File that differs between two snapshots. `path` is relative to the folder and has one character per byte. */
export type FileChange = { readonly path: string; readonly before?: Side; readonly after?: Side };

export type Snapshots = ReturnType<typeof createSnapshots>;

/**
 * Creates the snapshots of one folder. They do not contain ignored files, files above 5 MB, nested repositories, and
 * files for which `isOmitted` returns `true`.
 *
 * @param isOmitted gets an absolute path
 */
export function createSnapshots(git: ShadowGit, isOmitted: (path: string) => boolean) {
  const { root, store } = git;
  const index = join(store, "index");
  let last: Promise<unknown> = Promise.resolve();

  /**
   * Copies the index with its times. Git reads the content only of files that are not older than the index. With a newer
   * index, Git would miss a change that follows a snapshot within one second and keeps the size of the file.
   */
  const copyIndex = async (copy: string): Promise<void> => {
    const { atime, mtime } = await stat(index);
    await copyFile(index, copy);
    await utimes(copy, atime, mtime);
  };

  /** Works on a copy of the index. A killed process or a second process then cannot damage the index. */
  const withIndex = async <Result>(work: (copy: string) => Promise<Result>): Promise<Result> => {
    const copy = `${index}.${randomUUID()}`;
    // Without an index, Git begins with an empty one.
    await copyIndex(copy).catch(() => rm(copy, { force: true }));
    try {
      const result = await work(copy);
      await rename(copy, index);
      return result;
    } finally {
      await rm(copy, { force: true });
    }
  };

  const take = (): Promise<Snapshot> =>
    withIndex(async (copy) => {
      const listed = await git.run(["ls-files", "-z", "-o", "-m", "-d", "--exclude-standard"], { index: copy });
      const paths = new Set(listed.split("\0").filter((path) => path !== ""));
      if (paths.size > MAX_FILES) throw new Error(`there are more than ${MAX_FILES} files`);
      const { here, gone } = await withoutLinkedFolders(root, [...paths]);
      if (gone.length > 0) {
        const input = gone.map((path) => `${path}\0`).join("");
        await git.run(["update-index", "-z", "--force-remove", "--stdin"], { index: copy, input });
      }
      const { stored, omitted } = await sort(here);
      const input = stored.map((path) => `${path}\0`).join("");
      if (input !== "") {
        await git.run(["update-index", "-z", "--add", "--remove", "--replace", "--stdin"], { index: copy, input });
      }
      return { tree: (await git.run(["write-tree"], { index: copy })).trim(), omitted };
    });

  const sort = async (paths: readonly string[]) => {
    const stored: string[] = [];
    const omitted = new Set<string>();
    let bytes = 0;
    for (let at = 0; at < paths.length; at += AT_ONCE) {
      const some = paths.slice(at, at + AT_ONCE);
      const found = await Promise.all(some.map((path) => sizeOf(bytesOf(join(latin1(root), path)))));
      for (const [offset, path] of some.entries()) {
        const size = found[offset] ?? 0;
        if (size > MAX_FILE_BYTES || isOmitted(join(root, nameOf(path)))) {
          omitted.add(path);
          continue;
        }
        bytes += size;
        stored.push(path);
      }
      if (bytes > MAX_BYTES) throw new Error("there is more than 1 GB of files");
    }
    return { stored, omitted };
  };

  const changes = async (from: Tree, to: Tree): Promise<readonly FileChange[]> =>
    from === to ? [] : readChanges(await git.run(["diff-tree", "-r", "-z", "--no-renames", "--raw", from, to]));

  /** Returns a copy of a tree in which the files of some changes have the content of one side. */
  const graft = async (tree: Tree, some: readonly FileChange[], side: "before" | "after"): Promise<Tree> => {
    const copy = `${index}.${randomUUID()}`;
    try {
      await git.run(["read-tree", tree], { index: copy });
      const lines = some.map(
        ({ path, [side]: one }) => `${one?.mode ?? "0"} ${one?.blob ?? "0".repeat(40)}\t${path}\0`,
      );
      await git.run(["update-index", "-z", "--index-info"], { index: copy, input: lines.join("") });
      return (await git.run(["write-tree"], { index: copy })).trim();
    } finally {
      await rm(copy, { force: true });
    }
  };

  /** Runs one piece of work after the other, since all of them use the same index. */
  const inTurn = <Result>(work: () => Promise<Result>): Promise<Result> => {
    const result = last.then(work, work);
    last = result.catch(() => undefined);
    return result;
  };

  return {
    root,
    take: (): Promise<Snapshot> => inTurn(take),
    changes,
    graft,
    /**
     * Restores the content that files of the folder had before the changes. Nothing is written if one of the files
     * differs from `now`.
     *
     * @param now snapshot of the current files
     * @throws Error with the message of Git if a file changed in the meantime
     */
    async restore(now: Tree, some: readonly FileChange[]): Promise<void> {
      const target = await graft(now, some, "before");
      await inTurn(() => withIndex((copy) => git.run(["read-tree", "-m", "-u", now, target], { index: copy })));
    },
    /** Returns the content of a file, or `undefined` if it is not text of at most `maxBytes`. */
    async text({ mode, blob }: Side, maxBytes: number): Promise<string | undefined> {
      if (mode === "120000" || Number(await git.run(["cat-file", "-s", blob])) > maxBytes) return undefined;
      const content = Buffer.from(await git.run(["cat-file", "blob", blob]), "latin1");
      const text = content.toString("utf8");
      return text.includes("\0") || !Buffer.from(text).equals(content) ? undefined : text;
    },
  };
}

/** Separates files whose folder was replaced by a link. Git refuses such a path, and the file itself is gone. */
async function withoutLinkedFolders(root: string, paths: readonly string[]) {
  const folders = new Map<string, Promise<boolean>>();
  const isLinked = (folder: string): Promise<boolean> => {
    const known = folders.get(folder);
    if (known !== undefined) return known;
    const linked = folder === "." ? Promise.resolve(false) : isLink(folder);
    folders.set(folder, linked);
    return linked;
  };
  const isLink = async (folder: string): Promise<boolean> => {
    if (await isLinked(dirname(folder))) return true;
    const found = await lstat(bytesOf(join(latin1(root), folder))).catch(() => undefined);
    return found?.isSymbolicLink() === true;
  };
  const linked = await Promise.all(paths.map((path) => isLinked(dirname(path))));
  return { here: paths.filter((_, at) => !linked[at]), gone: paths.filter((_, at) => linked[at]) };
}

/** Returns the name of a path for people. */
export const nameOf = (path: string): string => bytesOf(path).toString("utf8");

const bytesOf = (path: string): Buffer => Buffer.from(path, "latin1");
const latin1 = (path: string): string => Buffer.from(path).toString("latin1");

/** Returns `true` if a snapshot left out a file, or a folder with this file. */
export function wasOmitted({ omitted }: Snapshot, path: string): boolean {
  for (let end = path.indexOf("/"); end >= 0; end = path.indexOf("/", end + 1)) {
    if (omitted.has(path.slice(0, end + 1))) return true;
  }
  return omitted.has(path);
}

/**
 * Returns the size of a file or link, or 0 if it is missing. Git cannot store other kinds of entries, such as a nested
 * repository.
 */
async function sizeOf(path: Buffer): Promise<number> {
  const found = await lstat(path).catch(() => undefined);
  if (found === undefined || found.isSymbolicLink()) return 0;
  const isReadable = await access(path, constants.R_OK).then(
    () => true,
    () => false,
  );
  return found.isFile() && isReadable ? found.size : Number.POSITIVE_INFINITY;
}

function readChanges(raw: string): readonly FileChange[] {
  const fields = raw.split("\0");
  const changes: FileChange[] = [];
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const [oldMode = "", newMode = "", oldBlob = "", newBlob = ""] = (fields[at] ?? "").slice(1).split(" ");
    const side = (mode: string, blob: string) => (mode === "000000" ? undefined : { mode, blob });
    changes.push({ path: fields[at + 1] ?? "", before: side(oldMode, oldBlob), after: side(newMode, newBlob) });
  }
  return changes;
}
