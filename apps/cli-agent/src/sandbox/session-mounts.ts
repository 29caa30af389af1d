import { lstat, mkdir, realpath } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { PathCheck } from "@turnkit/session/paths";
import { isInside } from "@turnkit/transport/node";
import type { Covered, CoveredPathSearch } from "./covered-paths.js";
import { PROGRAM_FOLDERS } from "./isolation.js";
import { SandboxError } from "./sandbox.js";
import type { SocketSearch } from "./sockets.js";

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
 * - Secrets and sockets can be neither read nor written.
 * - Folders for caches in `node_modules` are empty folders in memory, because tools such as Vite fail without them.
 *
 * @throws SandboxError for roots that cannot be mounted, or with too many covered paths
 */
export async function planMounts(
  given: readonly string[],
  {
    search,
    check,
    home,
    isVisible,
    sockets,
  }: {
    readonly search: CoveredPathSearch;
    readonly sockets: SocketSearch;
    readonly check: PathCheck;
    readonly home: string;
    /** Returns `true` for a path outside of the session's folders that commands can see. */
    readonly isVisible: (path: string) => boolean;
  },
): Promise<SessionMounts> {
  const roots = await Promise.all(given.map(realRoot));
  const around = await Promise.all(roots.map((root) => repositoryOf(root, home)));
  const repositories = around.flatMap((path) => (path === undefined || roots.includes(path) ? [] : path));
  const access = new Map<string, Mount["access"]>();
  const isFolder = new Map<string, boolean>();
  const put = (path: string, allowed: Mount["access"], folder: boolean) => {
    const before = access.get(path);
    // Roots may overlap, so the strictest access counts.
    if (before === "none" || before === "scratch" || (before === "read" && allowed === "write")) return;
    access.set(path, allowed);
    isFolder.set(path, folder);
  };
  /** Covers the file or folder that a link leads to. A link itself cannot be covered. */
  const putTarget = async ({ path, real }: Covered, isHidden: boolean): Promise<void> => {
    const target = real === undefined ? undefined : await lstat(real).catch(() => undefined);
    if (real === undefined || target === undefined) return;
    if (roots.some((root) => isInside(root, [real])))
      throw new SandboxError(`${path} leads to a folder of the session`);
    const holders = roots.filter((root) => isInside(real, [root]));
    for (const root of holders) for (const above of foldersBetween(root, real)) put(above, "write", true);
    const isShown = isVisible(real) || isInside(real, repositories);
    if (holders.length > 0) put(real, isHidden ? "none" : "read", target.isDirectory());
    // Without the programs of the system, no command would start.
    else if (isHidden && isShown && !isInside(real, PROGRAM_FOLDERS)) put(real, "none", target.isDirectory());
  };
  for (const path of repositories) put(path, "read", true);
  const covered: Covered[] = [];
  const known = await sockets.known();
  for (const root of [...new Set([...repositories, ...roots])]) {
    const isRoot = roots.includes(root);
    // A root inside the repository stays writable.
    if (isRoot) access.delete(root);
    put(root, isRoot && check.protectedBy(root) === undefined ? "write" : "read", true);
    const [{ found, problems }, deep] = await Promise.all([search(root), sockets.in(root)]);
    if (problems[0] !== undefined) throw new SandboxError(problems[0], { asksEachTime: true });
    if (isRoot) covered.push(...found);
    for (const one of found) {
      if (one.bytes !== undefined) throw new SandboxError(`the name of ${one.path} is not UTF-8`);
      const { path, kind, isFolder: folder } = one;
      const isHidden = kind !== "protected" && (kind !== "link" || one.isSecret === true);
      // Paths outside of the roots cannot be written anyway.
      if (!isRoot && !isHidden) continue;
      if (isRoot) for (const above of foldersBetween(root, path)) put(above, "write", true);
      if (kind === "link") await putTarget(one, isHidden);
      else put(path, isHidden ? "none" : "read", folder);
      if (folder && basename(path) === "node_modules") {
        for (const cache of await cacheFolders(path)) put(cache, "scratch", true);
      }
    }
    for (const path of [...deep, ...known.filter((one) => isInside(one, [root]))]) {
      if (isRoot) for (const above of foldersBetween(root, path)) put(above, "write", true);
      put(path, "none", false);
    }
    if (access.size > MAX_MOUNTS)
      throw new SandboxError(`the session's folders hold more than ${MAX_MOUNTS} protected paths`);
  }
  closeWays(access, roots);
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

/**
 * Limits each path to the rights of the folder above it. For example, a folder with a secret cannot be written if it is
 * inside a protected folder.
 */
function closeWays(access: Map<string, Mount["access"]>, roots: readonly string[]): void {
  for (const path of [...access.keys()].sort((one, other) => one.length - other.length)) {
    if (roots.includes(path)) continue;
    let above = dirname(path);
    while (!access.has(above) && dirname(above) !== above) above = dirname(above);
    if (access.get(above) === "none" || access.get(above) === "scratch") access.delete(path);
    if (access.get(above) === "read" && access.get(path) === "write") access.set(path, "read");
  }
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
  for (let folder = root; dirname(folder) !== folder && !isInside(home, [folder]); folder = dirname(folder)) {
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
  for (let folder = dirname(path); folder !== root && isInside(folder, [root]); folder = dirname(folder))
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
