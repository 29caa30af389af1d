import type { Dirent } from "node:fs";
import { readdir, readlink } from "node:fs/promises";
import { join } from "node:path";
import { type PathCheck, type PathRules, pathRules } from "@turnkit/session/paths";
import { SandboxError } from "./sandbox.js";

/** Most files and folders of one root. A larger one is not looked through before each command. */
const MAX_ENTRIES = 200_000;

/** Folders of one root that are read at the same time. */
const PARALLEL = 16;

/** Most names whose decision is remembered. */
const MAX_NAMES = 50_000;

/** Protected folders that are not searched for secrets, but for their first level. */
const HEAVY = new Set(["node_modules", ".git", ".hg", ".svn", ".jj", ".venv", "venv", ".yarn", ".gradle", ".m2"]);

/**
 * Kind of a covered path:
 *
 * - `secret`: nobody reads or writes it
 * - `protected`: nobody writes it
 * - `link`: a symbolic link with a covered name, which no mount can cover
 */
export type Covered = {
  readonly path: string;
  readonly kind: "secret" | "protected" | "link";
  readonly isFolder: boolean;
  /** Target of a link. */
  readonly target?: string;
};

/** Search for paths that the rules cover. Decisions about names are remembered. */
export type CoverSearch = (root: string) => Promise<readonly Covered[]>;

/** Creates the search. `rules` are those that `check` has besides turnkit's. */
export function createCoverSearch(check: PathCheck, rules: Partial<PathRules> = {}): CoverSearch {
  const parents = parentNames(
    [pathRules, rules].flatMap((list) => [...(list.protected ?? []), ...(list.secret ?? [])]),
  );
  const names = new Map<string, boolean>();
  /** Most names decide alone. The rules need the whole path only below a folder that some rule names. */
  const mayBeCovered = (name: string, parent: string): boolean => {
    if (!/^[\w-](?:[\w. -]*[\w-])?$/.test(parent) || parents(parent.toLowerCase())) return true;
    const known = names.get(name);
    if (known !== undefined) return known;
    const covered = check.protectedBy(name) !== undefined;
    if (names.size < MAX_NAMES) names.set(name, covered);
    return covered;
  };
  return async (root) => {
    const found: Covered[] = [];
    let entries = 0;
    const read = async ({ folder, isProtected, isLast }: Waiting): Promise<readonly Waiting[]> => {
      const below: Waiting[] = [];
      const parent = folder.slice(folder.lastIndexOf("/") + 1);
      const listed = await listFolder(folder);
      // A command of the owner could make the folder readable.
      if (listed === "unreadable") found.push({ path: folder, kind: "secret", isFolder: true });
      for (const entry of listed === "unreadable" ? [] : listed) {
        entries += 1;
        if (entries > MAX_ENTRIES) throw new SandboxError(`${root} holds more than ${MAX_ENTRIES} files`);
        const path = join(folder, entry.name);
        const kind = entry.isSocket()
          ? "secret"
          : mayBeCovered(entry.name, parent)
            ? kindOf(path, check)
            : isProtected
              ? "protected"
              : undefined;
        // A mount on a protected folder covers everything in it but the secrets.
        if (kind !== undefined && !(isProtected && kind === "protected")) found.push(await describe(path, entry, kind));
        if (!entry.isDirectory() || kind === "secret" || isLast) continue;
        below.push({
          folder: path,
          isProtected: isProtected || kind === "protected",
          isLast: kind === "protected" && HEAVY.has(entry.name),
        });
      }
      return below;
    };
    const waiting: Waiting[] = [{ folder: root, isProtected: check.protectedBy(root) !== undefined, isLast: false }];
    while (waiting.length > 0) {
      for (const below of await Promise.all(waiting.splice(-PARALLEL).map(read))) waiting.push(...below);
    }
    return found;
  };
}

type Waiting = {
  readonly folder: string;
  readonly isProtected: boolean;
  /** Leaves out the folders below. */
  readonly isLast: boolean;
};

function kindOf(path: string, { secretBy, protectedBy }: PathCheck): "secret" | "protected" | undefined {
  if (secretBy(path) !== undefined) return "secret";
  return protectedBy(path) === undefined ? undefined : "protected";
}

async function describe(path: string, entry: Dirent, kind: "secret" | "protected"): Promise<Covered> {
  if (!entry.isSymbolicLink()) return { path, kind, isFolder: entry.isDirectory() };
  return { path, kind: "link", isFolder: false, target: await readlink(path).catch(() => "") };
}

/** Lists a folder. One that vanished is empty. */
async function listFolder(folder: string): Promise<readonly Dirent[] | "unreadable"> {
  try {
    return await readdir(folder, { withFileTypes: true });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR") return [];
    if (code === "EACCES") return "unreadable";
    throw new SandboxError(`${folder} cannot be read (${code ?? String(error)})`);
  }
}

/** Returns a check of lower-case names: `true` if a pattern may have the name before its last part. */
function parentNames(patterns: readonly string[]): (name: string) => boolean {
  const parts = patterns.flatMap((pattern) =>
    pattern
      .toLowerCase()
      .replace(/^!|\/\*\*$/g, "")
      .split("/")
      .slice(0, -1),
  );
  const names = new Set(parts);
  const starts = parts.filter((part) => part.includes("*")).map((part) => part.slice(0, part.indexOf("*")));
  return (name) => names.has(name) || starts.some((start) => name.startsWith(start));
}
