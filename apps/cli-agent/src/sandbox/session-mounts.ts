import { lstat, mkdir, realpath } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { PathCheck } from "@turnkit/session/paths";
import { isWithin } from "../is-within.js";
import type { Covered, CoverSearch } from "./covered-paths.js";
import { SandboxError } from "./sandbox.js";

/** Mount on a path of the session. `id` is the device and file number that it must show. */
export type Mount = {
  readonly path: string;
  /** `scratch` is an empty folder in memory, whose content is lost after the command. */
  readonly access: "write" | "read" | "none" | "scratch";
  readonly isFolder: boolean;
  readonly id: string;
};

/** Folders of a session as a command sees them. The mounts are in their order, the outer ones first. */
export type SessionMounts = {
  readonly mounts: readonly Mount[];
  /** Real paths of the roots. */
  readonly roots: readonly string[];
  readonly covered: readonly Covered[];
};

/** Largest number of mounts. bubblewrap needs quadratic time for them: about 1.5 s for this number. */
const MAX_MOUNTS = 1_000;

/**
 * Plans the mounts of a session:
 *
 * - the roots, and folders above a covered path, can be written. A folder with a mount of its own cannot be renamed
 * - protected paths, and the rest of a root's repository, can be read
 * - secrets can be neither read nor written
 * - folders for caches in `node_modules` are scratch, since tools such as Vite fail without them
 *
 * @throws SandboxError for roots that cannot be confined, or with too many covered paths
 */
export async function planMounts(
  given: readonly string[],
  { search, check, home }: { readonly search: CoverSearch; readonly check: PathCheck; readonly home: string },
): Promise<SessionMounts> {
  const roots = await Promise.all(given.map(realRoot));
  const repositories = (await Promise.all(roots.map((root) => repositoryOf(root, home)))).filter(
    (path) => path !== undefined && !roots.includes(path),
  );
  const access = new Map<string, Mount["access"]>();
  const isFolder = new Map<string, boolean>();
  const put = (path: string, allowed: Mount["access"], folder: boolean) => {
    const before = access.get(path);
    // The strictest access counts, as roots may overlap.
    if (before === "none" || (before === "read" && allowed === "write")) return;
    access.set(path, allowed);
    isFolder.set(path, folder);
  };
  for (const path of repositories as string[]) put(path, "read", true);
  const covered: Covered[] = [];
  for (const root of [...new Set([...(repositories as string[]), ...roots])]) {
    const isRoot = roots.includes(root);
    // A root inside the repository is writable.
    if (isRoot) access.delete(root);
    put(root, isRoot && check.protectedBy(root) === undefined ? "write" : "read", true);
    const found = await search(root);
    if (isRoot) covered.push(...found);
    for (const { path, kind, isFolder: folder } of found) {
      // What is outside of the roots is read-only anyway.
      if (kind === "link" || (!isRoot && kind !== "secret")) continue;
      if (isRoot) for (const above of foldersBetween(root, path)) put(above, "write", true);
      put(path, kind === "secret" ? "none" : "read", folder);
      if (folder && basename(path) === "node_modules") {
        for (const cache of await cacheFolders(path)) put(cache, "scratch", true);
      }
    }
    if (access.size > MAX_MOUNTS)
      throw new SandboxError(`the session's folders hold more than ${MAX_MOUNTS} protected paths`);
  }
  const none = await idOf("/dev/null");
  const mounts = await Promise.all(
    [...access].map(async ([path, allowed]): Promise<Mount> => {
      const folder = isFolder.get(path) ?? false;
      const isMask = allowed === "none" && !folder;
      return { path, access: allowed, isFolder: folder, id: isMask ? none : await idOf(path) };
    }),
  );
  return { mounts: mounts.sort((one, other) => one.path.length - other.path.length), roots, covered };
}

function realRoot(root: string): Promise<string> {
  return realpath(root).catch(() => {
    throw new SandboxError(`${root} is not on this machine`);
  });
}

/** Returns the nearest folder above a root that holds a repository. The home folder and those above it are none. */
async function repositoryOf(root: string, home: string): Promise<string | undefined> {
  for (let folder = root; dirname(folder) !== folder && !isWithin(folder, home); folder = dirname(folder)) {
    if (await lstat(join(folder, ".git")).catch(() => undefined)) return folder;
  }
  return undefined;
}

/** Folders for caches in `node_modules`. A tool creates them, so the second part names the tool. */
const CACHES = [
  [".vite-temp", "vite"],
  [".vite", "vite"],
  [".cache", undefined],
] as const;

/** Returns the folders for caches. Those of an installed tool are created: a read-only folder has no place for a mount. */
async function cacheFolders(modules: string): Promise<readonly string[]> {
  const found: string[] = [];
  for (const [name, tool] of CACHES) {
    const path = join(modules, name);
    if (tool !== undefined && (await lstat(join(modules, tool)).catch(() => undefined))) {
      await mkdir(path).catch(() => undefined);
    }
    if ((await lstat(path).catch(() => undefined))?.isDirectory()) found.push(path);
  }
  return found;
}

function foldersBetween(root: string, path: string): readonly string[] {
  const folders: string[] = [];
  for (let folder = dirname(path); folder !== root && isWithin(root, folder); folder = dirname(folder))
    folders.push(folder);
  return folders;
}

async function idOf(path: string): Promise<string> {
  try {
    const { dev, ino } = await lstat(path, { bigint: true });
    return `${dev}:${ino}`;
  } catch {
    throw new SandboxError(`${path} changed while the sandbox was set up`);
  }
}
