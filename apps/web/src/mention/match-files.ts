/** Maximum length of typed text that is compared, in characters. */
const MAX_TYPED = 256;

/**
 * Returns the files and folders that fit typed text, the best first. A folder ends with `/`. Upper and lower case are
 * equal. A path also fits if it contains the typed characters in the same order, with other characters between them.
 */
export function matchCandidates(paths: readonly string[], typed: string, limit = 20): readonly string[] {
  const wanted = typed.toLowerCase().slice(0, MAX_TYPED);
  let rated: Rated[] = [];
  for (const { path, lower } of candidatesOf(paths)) {
    const rank = rankOf(lower, wanted);
    if (rank !== undefined) rated.push({ path, rank });
    // Only the best matches are returned, so the others are dropped before the list becomes long.
    if (rated.length > 4 * limit) rated = best(rated, limit);
  }
  return best(rated, limit).map(({ path }) => path);
}

/** Path with its rank, 0 for the best. */
type Rated = { readonly path: string; readonly rank: number };

function best(rated: Rated[], limit: number): Rated[] {
  rated.sort((a, b) => a.rank - b.rank || a.path.length - b.path.length || (a.path < b.path ? -1 : 1));
  return rated.slice(0, limit);
}

/** File or folder that may fit. `lower` is its path in lower case. */
type Candidate = { readonly path: string; readonly lower: string };

/** Maximum number of folders that are offered. */
const MAX_FOLDERS = 20_000;
/** Maximum number of levels whose folders are offered. A deeper folder is typed. */
const MAX_LEVELS = 32;

/** Files with their folders, by the list of files. Each key that is pressed uses the same list. */
const known = new WeakMap<readonly string[], readonly Candidate[]>();

function candidatesOf(paths: readonly string[]): readonly Candidate[] {
  const before = known.get(paths);
  if (before !== undefined) return before;
  const folders = new Set<string>();
  for (const path of paths) {
    let at = path.indexOf("/");
    for (let level = 0; at > 0 && level < MAX_LEVELS && folders.size < MAX_FOLDERS; level++) {
      folders.add(path.slice(0, at + 1));
      at = path.indexOf("/", at + 1);
    }
  }
  const all = [...paths, ...folders].map((path) => ({ path, lower: path.toLowerCase() }));
  known.set(paths, all);
  return all;
}

/** Returns the rank of a path for typed text, 0 for the best. Returns `undefined` if the path does not fit. */
function rankOf(path: string, wanted: string): number | undefined {
  if (path.startsWith(wanted)) return 0;
  const name = path.slice(path.lastIndexOf("/", path.length - 2) + 1);
  if (name.startsWith(wanted)) return 1;
  if (name.includes(wanted)) return 2;
  if (path.includes(wanted)) return 3;
  let at = 0;
  for (const character of wanted) {
    at = path.indexOf(character, at) + 1;
    if (at === 0) return undefined;
  }
  return 4;
}
