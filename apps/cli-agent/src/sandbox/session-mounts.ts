import { lstat, mkdir, realpath } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { PathCheck } from "@turnkit/session/paths";
import { isWithin } from "../is-within.js";
import type { Covered, CoverSearch } from "./covered-paths.js";
import { SandboxError } from "./sandbox.js";

/** Mount on a path of the session. `id` is the expected device and file number of the path. */
export type Mount = {
  readonly path: string;
  /** `scratch` is an empty folder in memory, whose content is lost after the command. */
  readonly access: "write" | "read" | "none" | "scratch";
  readonly isFolder: boolean;
  readonly id: string;
};

/** Folders of a session in the sandbox. Outer mounts come before inner mounts. */
export type SessionMounts = {
  readonly mounts: readonly Mount[];
  /** Real paths of the roots. */
  readonly roots: readonly string[];
  readonly covered: readonly Covered[];
};

/**
 * Maximum number of mounts. The time that bubblewrap needs grows with the square of this number. For this maximum, it
 * is about 1.5 s.
 */
const MAX_MOUNTS = 1_000;

/**
 * Plans the mounts of a session:
 *
 * - Roots, and folders above a covered path, can be written. A folder that is a mount cannot be renamed.
 * - Protected paths, and the rest of a root's repository, can be read.
 * - Secrets can be neither read nor written.
 * - Folders for caches in `node_modules` are empty folders in memory, because tools such as Vite fail without them.
 *
 * @throws SandboxError for roots that cannot be mounted, or with too many covered paths
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
    // Roots may overlap, so the strictest access counts.
    if (before === "none" || (before === "read" && allowed === "write")) return;
    access.set(path, allowed);
    isFolder.set(path, folder);
  };
  for (const path of repositories as string[]) put(path, "read", true);
  const covered: Covered[] = [];
  for (const root of [...new Set([...(repositories as string[]), ...roots])]) {
    const isRoot = roots.includes(root);
    // A root that is inside the repository can be written.
    if (isRoot) access.delete(root);
    put(root, isRoot && check.protectedBy(root) === undefined ? "write" : "read", true);
    const found = await search(root);
    if (isRoot) covered.push(...found);
    for (const { path, kind, isFolder: folder } of found) {
      // Paths outside of the roots cannot be written anyway.
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

/**
 * Returns the nearest folder above a root that contains a repository. The home folder, and folders above it, do not
 * count.
 */
async function repositoryOf(root: string, home: string): Promise<string | undefined> {
  for (let folder = root; dirname(folder) !== folder && !isWithin(folder, home); folder = dirname(folder)) {
    if (await lstat(join(folder, ".git")).catch(() => undefined)) return folder;
  }
  return undefined;
}

/** Folders for caches in `node_modules`, each with the tool that creates it. */
const CACHES = [
  [".vite-temp", "vite"],
  [".vite", "vite"],
  [".cache", undefined],
] as const;

/**
 * Returns the folders for caches. If the tool is installed, its folder is created, because a mount needs an existing
 * folder.
 */
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
