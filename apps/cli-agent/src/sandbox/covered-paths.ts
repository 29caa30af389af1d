import type { Dirent } from "node:fs";
import { readdir, readlink, realpath } from "node:fs/promises";
import { type PathCheck, type PathRules, pathRules } from "@turnkit/session/paths";
import { isSetAside } from "./edit-names.js";

/**
 * Maximum number of files and folders in one root. The search of a larger root is not complete, because the search runs
 * before and after each command.
 */
const MAX_ENTRIES = 200_000;

const PARALLEL = 16;

/** Maximum number of names whose result is stored. */
const MAX_NAMES = 50_000;

/** Protected folders in which only the first level is searched for secrets. */
export const HEAVY = new Set("node_modules .git .hg .svn .jj .venv venv .yarn .gradle .m2".split(" "));

/**
 * Kind of a path that matches a rule:
 *
 * - `secret`: commands can neither read nor write it
 * - `protected`: commands cannot write it
 * - `link`: a symbolic link whose name matches a rule; no mount can cover a link
 * - `socket`: a socket, which commands cannot use
 * - `unreadable`: a folder that cannot be searched, but whose permissions a command could change
 */
export type Covered = {
  readonly path: string;
  /** Exact path, if it is not valid UTF-8. */
  readonly bytes?: Buffer;
  readonly kind: "secret" | "protected" | "link" | "socket" | "unreadable";
  readonly isFolder: boolean;
  readonly target?: string;
  /** Real path of the target of a link, if it exists. */
  readonly real?: string;
  /** `true` for a link with the name of a secret. */
  readonly isSecret?: boolean;
  /** `true` for a folder that Git takes for a repository, whatever its name is. */
  readonly isRepository?: boolean;
};

/** Result of a search. Each problem is a reason why the search is not complete, as a part of a sentence. */
export type CoveredSearchResult = { readonly found: readonly Covered[]; readonly problems: readonly string[] };

type SearchOptions = {
  /** Names of folders in which only the first level is searched. */
  readonly skips?: ReadonlySet<string>;
  /** Returns `true` to end the search. The result then counts as not complete. */
  readonly isEnough?: (found: readonly Covered[]) => boolean;
};

/** Searches a root for the paths that match a rule. */
export type CoveredPathSearch = (root: string, options?: SearchOptions) => Promise<CoveredSearchResult>;

/** Creates a search for the paths that a sandbox has to cover. `rules` are the rules that `check` has beside turnkit's own. */
export function createCoveredPathSearch(
  check: PathCheck,
  rules: Partial<PathRules> = {},
  maxEntries = MAX_ENTRIES,
): CoveredPathSearch {
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
  return async (root, { skips, isEnough = () => false } = {}) => {
    const found: Covered[] = [];
    const problems: string[] = [];
    let entries = 0;
    const read = async ({ folder, bytes, isProtected, isLast }: Waiting): Promise<readonly Waiting[]> => {
      const below: Waiting[] = [];
      const parent = folder.slice(folder.lastIndexOf("/") + 1);
      const listed = await listFolder(bytes ?? folder);
      if (listed === "EACCES")
        found.push({ path: folder, ...(bytes && { bytes }), kind: "unreadable", isFolder: true });
      else if (typeof listed === "string") problems.push(`${shortened(folder)} could not be searched (${listed})`);
      if (typeof listed === "string") return [];
      entries += listed.length;
      const isRepository = !isProtected && holdsRepository(listed);
      if (isRepository)
        found.push({ path: folder, ...(bytes && { bytes }), kind: "protected", isFolder: true, isRepository });
      const isCovered = isProtected || isRepository;
      for (const entry of listed) {
        const name = entry.name.toString();
        const at = coveredPath({ folder, bytes }, entry.name, name);
        const own = entry.isSocket() ? "socket" : mayBeCovered(name, parent) ? kindOf(at.path, check) : undefined;
        const kind = own ?? (isCovered ? "protected" : undefined);
        // A mount on a protected folder covers everything in the folder except the secrets.
        const isNamed = own !== undefined && !(isProtected && own === "protected");
        if (isNamed) found.push(await describe(at, entry, own));
        // A folder that was set aside keeps its content, so protected names in it count too.
        const isClosed = kind === "secret" && !isSetAside(name);
        if (!entry.isDirectory() || isClosed || isLast) continue;
        below.push({
          folder: at.path,
          bytes: at.bytes,
          isProtected: isCovered || kind === "protected",
          isLast: (kind === "protected" && HEAVY.has(name)) || skips?.has(name) === true,
        });
      }
      return below;
    };
    // The search goes level by level, so that a folder with many files does not use up the limit before its siblings.
    let waiting: Waiting[] = [{ folder: root, isProtected: check.protectedBy(root) !== undefined, isLast: false }];
    const isOver = () => entries > maxEntries || isEnough(found);
    while (waiting.length > 0 && !isOver()) {
      const next: Waiting[] = [];
      for (let at = 0; at < waiting.length && !isOver(); at += PARALLEL) {
        for (const below of await Promise.all(waiting.slice(at, at + PARALLEL).map(read))) next.push(...below);
      }
      waiting = next;
    }
    if (entries > maxEntries) problems.push(`${root} holds more than ${maxEntries} files`);
    else if (waiting.length > 0) problems.push(`the search of ${root} was ended early`);
    return { found, problems };
  };
}

/** Returns `true` for the entries of a repository of Git. In a bare repository, its settings have no protected name. */
function holdsRepository(entries: readonly Dirent<Buffer>[]): boolean {
  const names = new Set(entries.map(({ name }) => name.toString().toLowerCase()));
  return ["head", "objects", "refs"].every((name) => names.has(name));
}

type Waiting = {
  readonly folder: string;
  /** Exact path, if it is not valid UTF-8. */
  readonly bytes?: Buffer;
  readonly isProtected: boolean;
  /** `true` leaves out the folders below. */
  readonly isLast: boolean;
};

function kindOf(path: string, { secretBy, protectedBy }: PathCheck): "secret" | "protected" | undefined {
  if (secretBy(path) !== undefined) return "secret";
  return protectedBy(path) === undefined ? undefined : "protected";
}

/** Path as text. `bytes` has the exact path if the text cannot express it. */
type CoveredPath = Pick<Covered, "path" | "bytes">;

function coveredPath({ folder, bytes }: Pick<Waiting, "folder" | "bytes">, exact: Buffer, name: string): CoveredPath {
  const path = `${folder}/${name}`;
  if (bytes === undefined && !name.includes("\ufffd")) return { path };
  return { path, bytes: Buffer.concat([bytes ?? Buffer.from(folder), Buffer.from("/"), exact]) };
}

async function describe(at: CoveredPath, entry: Dirent<Buffer>, kind: Covered["kind"]): Promise<Covered> {
  if (!entry.isSymbolicLink()) return { ...at, kind, isFolder: entry.isDirectory() };
  const exact = at.bytes ?? at.path;
  const [target, real] = await Promise.all([readlink(exact).catch(() => ""), realpath(exact).catch(() => undefined)]);
  return { ...at, kind: "link", isFolder: false, target, real, isSecret: kind === "secret" };
}

/** Lists a folder. If the folder no longer exists, the list is empty. Returns the code of any other error. */
async function listFolder(folder: string | Buffer): Promise<readonly Dirent<Buffer>[] | string> {
  try {
    return await readdir(folder, { withFileTypes: true, encoding: "buffer" });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR") return [];
    return code ?? String(error);
  }
}

const shortened = (path: string): string => (path.length > 200 ? `${path.slice(0, 200)}…` : path);

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
