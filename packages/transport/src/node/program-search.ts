import { existsSync, realpathSync } from "node:fs";
import { access, constants, realpath, stat } from "node:fs/promises";
import { homedir } from "node:os";
import { basename, delimiter, dirname, isAbsolute, join, normalize, resolve } from "node:path";
import type { Environment } from "./child-environment.js";
import { isInside } from "./path-form.js";

/**
 * Variables that list folders of programs, libraries or modules. An empty entry of such a list means the current
 * folder.
 */
const SEARCHED =
  /^(?:PATH|LD_LIBRARY_PATH|DYLD_LIBRARY_PATH|DYLD_FALLBACK_LIBRARY_PATH|DYLD_FRAMEWORK_PATH|NODE_PATH|PYTHONPATH|PERL5LIB|RUBYLIB)$/i;

/** Files and folders whose presence marks a folder as a project. */
const MARKS = [".git", ".hg", ".svn", "package.json", "pyproject.toml"];

/**
 * Returns an environment in which only programs of the user are found. Entries of `PATH` and similar variables are
 * removed if they are empty, relative, or inside the project of `directory`.
 */
export function safeEnvironment(env: Environment, directory?: string): Environment {
  const project = directory === undefined ? undefined : projectOf(directory);
  const safe: Record<string, string | undefined> = { ...env };
  for (const [name, value] of Object.entries(env)) {
    if (!SEARCHED.test(name) || value === undefined) continue;
    const kept = value.split(delimiter).filter((folder) => isSafe(folder, project));
    if (kept.length > 0) safe[name] = kept.join(delimiter);
    // Systems treat an empty PATH as the current folder. Some shells also do so if PATH is missing.
    else if (name.toUpperCase() === "PATH") safe[name] = process.platform === "win32" ? "C:\\Windows" : "/usr/bin:/bin";
    else delete safe[name];
  }
  return safe;
}

function isSafe(folder: string, project: string | undefined): boolean {
  const bare = folder.replace(/^"(.*)"$/, "$1");
  // `/proc/self/cwd` is the current folder of the process that opens it.
  if (!isAbsolute(bare) || /^\/+(proc|dev)\//.test(normalize(bare))) return false;
  return project === undefined || !(isInside(bare, [project]) || isInside(realPath(bare), [project]));
}

/**
 * Returns `true` if a path is in the project that contains a folder. Links are resolved. If the project contains the
 * user's home, the result is `false`.
 */
export function isInProject(path: string, directory: string): boolean {
  const project = projectOf(directory);
  return project !== undefined && (isInside(resolve(path), [project]) || isInside(realPath(path), [project]));
}

/**
 * Returns the outermost project folder that contains a folder. Returns `undefined` if the user's home is inside that
 * project.
 */
function projectOf(directory: string): string | undefined {
  const start = realPath(directory);
  const home = realPath(homedir());
  let project = start;
  for (let folder = start; !isInside(home, [folder]) && dirname(folder) !== folder; folder = dirname(folder)) {
    if (MARKS.some((mark) => existsSync(join(folder, mark)))) project = folder;
  }
  return isInside(home, [project]) ? undefined : project;
}

function realPath(given: string): string {
  const path = resolve(given);
  try {
    return realpathSync.native(path);
  } catch {
    // The path itself does not exist, so only links among its parents can be resolved.
    return dirname(path) === path ? path : join(realPath(dirname(path)), basename(path));
  }
}

/** Environment whose `PATH` is searched for a program. */
export type ProgramSearchOptions = {
  readonly env: Environment;
  readonly platform?: NodeJS.Platform;
  /** Folders whose programs are not used, also through links. */
  readonly outside?: readonly string[];
  /**
   * With `true`, programs are left out if they belong to another user (except the system), or if everybody can replace
   * them. Without effect on Windows.
   */
  readonly owned?: boolean;
};

/**
 * Finds the file of a program in `PATH`, as a shell does. Returns `undefined` if there is none. Does not start the
 * program, and never searches the current directory.
 */
export async function findProgram(name: string, place: ProgramSearchOptions): Promise<string | undefined> {
  const { env, platform = process.platform } = place;
  const endings = platform === "win32" ? ["", ...(env.PATHEXT ?? ".COM;.EXE;.BAT;.CMD").split(";")] : [""];
  const hasPath = /[\\/]/.test(name);
  const searched = safeEnvironment({ PATH: env.PATH ?? env.Path ?? "" }).PATH ?? "";
  const bases = hasPath ? [resolve(name)] : searched.split(delimiter).map((folder) => join(folder, name));
  for (const base of bases) {
    for (const ending of endings) {
      const file = base + ending;
      if ((await isProgram(file, platform)) && (await isAllowed(file, place))) return file;
    }
  }
  return undefined;
}

async function isAllowed(file: string, { outside = [], owned = false }: ProgramSearchOptions): Promise<boolean> {
  const folders = [...outside, ...outside.map(realPath)];
  const real = await realpath(file);
  if (isInside(file, folders) || isInside(real, folders)) return false;
  return !owned || ((await isOwned(real)) && (await isOwned(dirname(real))));
}

async function isOwned(path: string): Promise<boolean> {
  const me = process.getuid?.();
  if (me === undefined) return true;
  const { uid, mode } = await stat(path);
  return (uid === me || uid === 0) && (mode & 0o002) === 0;
}

async function isProgram(path: string, platform: NodeJS.Platform): Promise<boolean> {
  try {
    if (!(await stat(path)).isFile()) return false;
    if (platform !== "win32") await access(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
