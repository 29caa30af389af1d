import fs from "node:fs";
import { isAbsolute, relative, sep } from "node:path";
import type { Folder } from "../workspace.js";
import { ignoredPatterns } from "./gitignore.js";
import { ToolError } from "./tool.js";

/** How many entries of folders are looked at before a walk stops. */
const MAX_ENTRIES = 200_000;

/** Looks for one folder by its name. */
const onlyThis = { dot: true, expandDirectories: false, followSymbolicLinks: false, onlyDirectories: true } as const;

/** Files that were found, relative to the root of their folder, with `/`; and whether the walk stopped at its bound. */
export type FoundFiles = { readonly paths: readonly string[]; readonly cut: boolean };

/**
 * The files of a folder that match a glob pattern, in alphabetical order, without what is usually ignored. Links are not
 * followed, so nothing outside is seen.
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
  const base = relative(folder.root, folder.path).split(sep).join("/");
  let seen = 0;
  const readdir = ((path: string, options: object, done: (error: unknown, entries: fs.Dirent[]) => void) => {
    fs.readdir(path, { ...options, withFileTypes: true }, (error, entries) => {
      seen += entries?.length ?? 0;
      // Past the bound every folder is an empty one, so that what was found by then is kept.
      done(error, seen > MAX_ENTRIES ? [] : entries);
    });
  }) as unknown as typeof fs.readdir;
  const ignored = await ignoredPatterns(folder.root);
  // Whoever names an ignored folder wants to see it.
  const isNamed =
    base !== "" && (await glob(escapePath(base), { ...onlyThis, cwd: folder.root, ignore: ignored })).length === 0;
  const paths = await glob(base === "" ? pattern : `${escapePath(base)}/${pattern}`, {
    cwd: folder.root,
    dot: true,
    expandDirectories: false,
    followSymbolicLinks: false,
    fs: { readdir },
    ignore: isNamed ? [] : ignored,
    signal,
  });
  // Whatever a pattern makes its way up of (`.{.,x}/*`): nothing outside is told.
  const inside = paths.filter((path) => !path.startsWith("../") && !isAbsolute(path));
  return { paths: inside.sort(), cut: seen > MAX_ENTRIES };
}
