import type { Dirent } from "node:fs";
import { readdir, readlink } from "node:fs/promises";
import { join } from "node:path";
import { type PathCheck, type PathRules, pathRules } from "@turnkit/session/paths";
import { SandboxError } from "./sandbox.js";

/**
 * Maximum number of files and folders in one root. A larger root is not searched, because the search runs before each
 * command.
 */
const MAX_ENTRIES = 200_000;

/** Number of folders of one root that are read at the same time. */
const PARALLEL = 16;

/** Maximum number of names whose result is stored. */
const MAX_NAMES = 50_000;

/** Protected folders in which only the first level is searched for secrets. */
const HEAVY = new Set(["node_modules", ".git", ".hg", ".svn", ".jj", ".venv", "venv", ".yarn", ".gradle", ".m2"]);

/**
 * Kind of a path that matches a rule:
 *
 * - `secret`: commands can neither read nor write it
 * - `protected`: commands cannot write it
 * - `link`: a symbolic link whose name matches a rule; no mount can cover a link
 */
export type Covered = {
  readonly path: string;
  readonly kind: "secret" | "protected" | "link";
  readonly isFolder: boolean;
  /** Target of a link. */
  readonly target?: string;
};

/** Search for paths that match the rules. Results for names are stored. */
export type CoverSearch = (root: string) => Promise<readonly Covered[]>;

/** Creates the search. `rules` are the rules that `check` has in addition to those of turnkit. */
export function createCoverSearch(check: PathCheck, rules: Partial<PathRules> = {}): CoverSearch {
  const parents = parentNames(
    [pathRules, rules].flatMap((list) => [...(list.protected ?? []), ...(list.secret ?? [])]),
  );
  const names = new Map<string, boolean>();
  /** For most names, the name alone decides. The whole path is needed only below a folder that is part of a rule. */
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
      // A command runs as the owner of the folder, so it could make the folder readable.
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
        // A mount on a protected folder covers everything in the folder except the secrets.
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
  /** `true` leaves out the folders below. */
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

/** Lists a folder. If the folder no longer exists, the list is empty. */
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

/**
 * Returns a check of lower-case names. The check returns `true` if the name can match a part of a pattern that is not
 * the last part.
 */
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
