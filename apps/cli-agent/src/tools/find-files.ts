import fs from "node:fs";
import { readFile, stat } from "node:fs/promises";
import { isAbsolute, join, relative, sep } from "node:path";
import type { Ignore } from "ignore";
import { ToolError } from "../errors.js";
import type { Folder } from "../workspace.js";
import { TimeoutError, withinTime } from "./within-time.js";

/** Number of folder entries after which the search stops. */
const MAX_ENTRIES = 200_000;

/** Largest size in bytes of a `.gitignore`. A larger one is not read. */
const MAX_GITIGNORE = 256 * 1024;

/** Time limit for the rules of a `.gitignore` in one search, in milliseconds. Thousands of rules could take minutes. */
const RULES_MS = 3_000;

/** Rules that always apply. A `.gitignore` cannot disable them. */
const ALWAYS = [".git", ".hg", ".svn", "node_modules"];

/**
 * Paths of the found files, relative to the root of the searched folder, with `/` as the separator. `cut` is `true` if
 * the search stopped at its bound.
 */
export type FoundFiles = { readonly paths: readonly string[]; readonly cut: boolean };

/**
 * Returns the files of a folder that match a glob pattern, in alphabetical order.
 *
 * - Links are not followed, so all files are inside the folder.
 * - Folders of version control, `node_modules`, and paths that the root's `.gitignore` ignores are left out.
 * - If the given folder itself is ignored, all its files are searched, because the caller named it.
 *
 * @throws ToolError `invalid_input` for a pattern that leads out of the folder
 */
export async function findFiles(folder: Folder, pattern: string, signal: AbortSignal): Promise<FoundFiles> {
  if (/^[\\/]|^[a-z]:/i.test(pattern) || pattern.split(/[\\/]/).includes("..")) {
    throw new ToolError(
      "invalid_input",
      "A pattern is relative to its folder and stays inside: use `path` for another one.",
    );
  }
  const { escapePath, glob } = await import("tinyglobby");
  const { root } = folder;
  const base = relative(root, folder.path).split(sep).join("/");
  const ignored = await createIgnoredFilter(root);
  const isNamed = base !== "" && ignored([`${base}/`]).length === 0;
  let seen = 0;
  const readdir = ((path: string, options: object, done: (error: unknown, entries: fs.Dirent[]) => void) => {
    fs.readdir(path, { ...options, withFileTypes: true }, (error, entries = []) => {
      seen += entries.length;
      // Beyond the bound, folders count as empty. The files that were already found stay in the result.
      if (seen > MAX_ENTRIES) return done(error, []);
      const inner = relative(root, path).split(sep).join("/");
      if (isNamed || isOutside(inner)) return done(error, entries);
      const names = new Map(entries.map((entry) => [nameIn(inner, entry), entry]));
      const kept = ignored([...names.keys()]);
      done(
        error,
        kept.flatMap((name) => names.get(name) ?? []),
      );
    });
  }) as unknown as typeof fs.readdir;
  const paths = await glob(base === "" ? pattern : `${escapePath(base)}/${pattern}`, {
    cwd: root,
    dot: true,
    expandDirectories: false,
    followSymbolicLinks: false,
    fs: { readdir },
    signal,
  });
  // A pattern can form `..` from its parts (`.{.,x}/*`). Paths outside of the root are dropped.
  const inside = paths.filter((path) => !isOutside(path));
  return { paths: inside.sort(), cut: seen > MAX_ENTRIES };
}

const isOutside = (path: string): boolean => path === ".." || path.startsWith("../") || isAbsolute(path);

/** Returns the path of a folder entry in the form of `.gitignore`: relative, with a `/` after folders. */
function nameIn(folder: string, entry: fs.Dirent): string {
  return `${folder === "" ? "" : `${folder}/`}${entry.name}${entry.isDirectory() ? "/" : ""}`;
}

/**
 * Creates a filter that removes ignored paths. Only the `.gitignore` of the root is read. After {@link RULES_MS}, only
 * the rules of {@link ALWAYS} apply.
 */
async function createIgnoredFilter(root: string): Promise<(paths: readonly string[]) => readonly string[]> {
  const { default: ignore } = await import("ignore");
  const always = ignore({ ignorecase: false }).add(ALWAYS);
  const path = join(root, ".gitignore");
  const found = await stat(path).catch(() => undefined);
  const isRead = found?.isFile() && found.size <= MAX_GITIGNORE;
  const text = isRead ? await readFile(path, "utf8").catch(() => "") : "";
  // The last matching rule decides, so a project cannot disable `ALWAYS`.
  let rules: Ignore = ignore({ ignorecase: false })
    .add(text.replace(/^\ufeff/, ""))
    .add(ALWAYS);
  let room = RULES_MS;
  return (paths) => {
    if (rules === always || text === "") return always.filter(paths);
    const start = performance.now();
    try {
      return withinTime(Math.ceil(room), () => rules.filter(paths));
    } catch (error) {
      if (!(error instanceof TimeoutError)) throw error;
      rules = always;
      return always.filter(paths);
    } finally {
      room = Math.max(1, room - (performance.now() - start));
    }
  };
}
