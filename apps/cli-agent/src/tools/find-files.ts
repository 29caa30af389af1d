import type { Dirent } from "node:fs";
import { readdir } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import { setImmediate } from "node:timers/promises";
import { openRealFolder, openRooted } from "@turnkit/transport/node";
import { ToolError } from "../errors.js";
import type { Folder } from "../workspace.js";
import { compileGlob, type GlobPattern } from "./glob-pattern.js";
import { type IgnoreRules, readIgnoreRules } from "./ignore-rules.js";

/** Number of folder entries after which the search stops. */
const MAX_ENTRIES = 200_000;

/** Largest size in bytes of a `.gitignore`. A larger one is not read. */
const MAX_GITIGNORE = 128 * 1024;

/**
 * Time limits in milliseconds: `WALK_MS` for a search, `RULES_MS` for applying the rules of a `.gitignore` in the
 * search.
 */
const WALK_MS = 20_000;
const RULES_MS = 3_000;

/** Time limit for applying the rules to one path, in milliseconds. */
const PATH_MS = 100;

/** Time in milliseconds after which a search lets other work run. */
const SLICE_MS = 15;

const AT_ONCE = 16;

/** Names that are always left out. A `.gitignore` cannot disable them. */
const ALWAYS: ReadonlySet<string> = new Set([".git", ".hg", ".svn", "node_modules"]);

/**
 * Paths of the found files, relative to the root of the searched folder, with `/` as the separator. `cut` is `true` if
 * the search stopped at a bound.
 */
export type FoundFiles = { readonly paths: readonly string[]; readonly cut: boolean };

/**
 * Returns the files of a folder that match a glob pattern, in alphabetical order.
 *
 * - Links are not followed, so all files are inside the folder.
 * - Folders of version control, `node_modules`, and paths that the root's `.gitignore` ignores are left out.
 * - If the given folder itself is ignored, all its files are searched, because the caller named it.
 * - The search ends after 20 s, or when the signal aborts. The search does not block other work.
 * - After {@link RULES_MS}, only the names of {@link ALWAYS} are left out.
 *
 * @throws ToolError `invalid_input` if the pattern leads out of the folder or is not valid
 */
export async function findFiles(folder: Folder, pattern: string, signal: AbortSignal): Promise<FoundFiles> {
  const glob = readPattern(pattern);
  const { root } = folder;
  const base = relative(root, folder.path).split(sep).join("/");
  const rules = await readRules(root);
  const pace = createPace(signal);
  const isNamed = base !== "" && (await isIgnored(rules, base, pace));
  const isKept = (path: string, name: string, isFolder: boolean) =>
    isNamed || (!ALWAYS.has(name) && !pace.ask((isOver) => rules.ignores(path, isFolder, isOver)));
  const paths: string[] = [];
  /** Folders that have to be read, relative to the base. */
  const waiting = [""];
  let seen = 0;
  while (waiting.length > 0 && seen <= MAX_ENTRIES && !pace.isOver()) {
    signal.throwIfAborted();
    const read = async (inner: string) => {
      const entries = await entriesOf(join(folder.real, inner)).catch(() => []);
      return { inner, entries };
    };
    for (const { inner, entries } of await Promise.all(waiting.splice(-AT_ONCE).map(read))) {
      seen += entries.length;
      if (seen > MAX_ENTRIES) break;
      for (const entry of entries) {
        if (pace.isDue()) await pace.pause();
        if (pace.isOver()) break;
        const path = inner === "" ? entry.name : `${inner}/${entry.name}`;
        const whole = base === "" ? path : `${base}/${path}`;
        const isFolder = entry.isDirectory();
        const isWanted = isFolder ? glob.mayBegin(`${path}/`) : entry.isFile() && glob.fits(path);
        if (!isWanted || !isKept(whole, entry.name, isFolder)) continue;
        if (isFolder) waiting.push(path);
        else paths.push(whole);
      }
    }
  }
  return { paths: paths.sort(), cut: seen > MAX_ENTRIES || pace.isOver() };
}

/**
 * Returns the entries of a folder.
 *
 * @param real real path of the folder
 * @throws the errors of `openRealFolder`, if the folder cannot be read, or a link has replaced it
 */
export async function entriesOf(real: string): Promise<Dirent[]> {
  const { prefix, close } = await openRealFolder(real);
  try {
    return await readdir(prefix, { withFileTypes: true });
  } finally {
    await close();
  }
}

function readPattern(pattern: string): GlobPattern {
  if (/^\/|^[a-z]:|^\\(?![[\]{}*?!#\\])/i.test(pattern) || pattern.split(/[\\/]/).includes("..")) {
    throw new ToolError(
      "invalid_input",
      "A pattern is relative to its folder and stays inside: use `path` for another one.",
    );
  }
  const plain = pattern
    .split("/")
    .filter((part) => part !== ".")
    .join("/");
  const glob = compileGlob(plain, { braces: true });
  if (glob === undefined) throw new ToolError("invalid_input", "The pattern is too long, or ends in the middle.");
  return glob;
}

/** Returns `true` for an ignored folder, and for a folder inside an ignored folder. */
async function isIgnored(rules: IgnoreRules, folder: string, pace: Pace): Promise<boolean> {
  const parts = folder.split("/");
  if (parts.some((name) => ALWAYS.has(name))) return true;
  for (let end = 1; end <= parts.length; end += 1) {
    if (pace.isDue()) await pace.pause();
    const path = parts.slice(0, end).join("/");
    if (pace.ask((isOver) => rules.ignores(path, true, isOver))) return true;
  }
  return false;
}

/** Reads the `.gitignore` of a root. Other `.gitignore` files are not read. */
async function readRules(root: string): Promise<IgnoreRules> {
  const handle = await openRooted(join(root, ".gitignore"), [root]).catch(() => undefined);
  if (handle === undefined) return readIgnoreRules("");
  try {
    const { size } = await handle.stat();
    return readIgnoreRules(size <= MAX_GITIGNORE ? await handle.readFile("utf8") : "");
  } catch {
    return readIgnoreRules("");
  } finally {
    await handle.close();
  }
}

type Pace = ReturnType<typeof createPace>;

/** Creates the clock of a search. The clock lets other work run, and ends the search at the time limit. */
function createPace(signal: AbortSignal) {
  const end = performance.now() + WALK_MS;
  let slice = performance.now();
  let room = RULES_MS;
  return {
    isOver: () => performance.now() > end,
    isDue: () => performance.now() - slice > SLICE_MS,
    async pause(): Promise<void> {
      await setImmediate();
      signal.throwIfAborted();
      slice = performance.now();
    },
    /** Applies the rules to a path. Returns `false` after the time limit of the rules. */
    ask(asked: (isOver: () => boolean) => boolean): boolean {
      if (room <= 0) return false;
      const start = performance.now();
      const last = start + Math.min(room, PATH_MS);
      const answer = asked(() => performance.now() > last);
      room -= performance.now() - start;
      return answer;
    },
  };
}
