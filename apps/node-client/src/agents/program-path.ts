import { existsSync, lstatSync, mkdirSync, readdirSync, realpathSync, rmSync } from "node:fs";
import { access, constants, stat } from "node:fs/promises";
import { homedir } from "node:os";
import { basename, delimiter, dirname, isAbsolute, join, normalize, relative, resolve, sep } from "node:path";
import { UsageError } from "../exit-code.js";

/**
 * Variables that list folders of programs, libraries or modules. An empty entry of such a list means the current
 * folder.
 */
const SEARCHED = new Set([
  ...["PATH", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "DYLD_FALLBACK_LIBRARY_PATH", "DYLD_FRAMEWORK_PATH"],
  ...["NODE_PATH", "PYTHONPATH", "PERL5LIB", "RUBYLIB"],
]);

/** Files and folders whose presence marks a folder as a project. */
const MARKS = [".git", ".hg", ".svn", "package.json", "pyproject.toml"];

/**
 * Returns an environment in which only programs of the user are found. Entries of `PATH` and similar variables are
 * removed if they are empty, relative, or inside the project of `directory`.
 */
export function safeEnvironment(env: NodeJS.ProcessEnv, directory?: string): NodeJS.ProcessEnv {
  const project = directory === undefined ? undefined : projectOf(directory);
  const safe = { ...env };
  for (const [name, value] of Object.entries(env)) {
    if (!SEARCHED.has(name.toUpperCase()) || value === undefined) continue;
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
  return project === undefined || !(liesIn(bare, project) || liesIn(realPath(bare), project));
}

/**
 * Returns the outermost project folder that contains a folder. Returns `undefined` if the user's home is inside that
 * project.
 */
function projectOf(directory: string): string | undefined {
  const start = realPath(directory);
  const home = realPath(homedir());
  let project = start;
  for (let folder = start; !liesIn(home, folder) && dirname(folder) !== folder; folder = dirname(folder)) {
    if (MARKS.some((mark) => existsSync(join(folder, mark)))) project = folder;
  }
  return liesIn(home, project) ? undefined : project;
}

/** Returns `true` if a path is the folder or is inside it. Only the texts are compared. */
export function liesIn(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
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

export type ProgramPlace = { readonly env: NodeJS.ProcessEnv; readonly platform?: NodeJS.Platform };

/**
 * Finds the file of a program in `PATH`, as a shell does. Returns `undefined` if there is none. Does not start the
 * program, and never searches the current directory.
 */
export async function findProgram(name: string, place: ProgramPlace): Promise<string | undefined> {
  const { env, platform = process.platform } = place;
  const endings = platform === "win32" ? ["", ...(env.PATHEXT ?? ".COM;.EXE;.BAT;.CMD").split(";")] : [""];
  const hasPath = /[\\/]/.test(name);
  const searched = safeEnvironment({ PATH: env.PATH ?? env.Path ?? "" }).PATH ?? "";
  const bases = hasPath ? [resolve(name)] : searched.split(delimiter).map((folder) => join(folder, name));
  for (const base of bases) {
    for (const ending of endings) {
      if (await isProgram(base + ending, platform)) return base + ending;
    }
  }
  return undefined;
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

/**
 * Returns the folder in which package runners start, and removes its content. The folder is `turnkit/runner` in
 * `$XDG_CACHE_HOME`, or in `~/.cache`. Only the user can write to the folder.
 *
 * @throws UsageError if the folder is a link, belongs to another user, or is writable for others
 */
export function runnerFolder(env: NodeJS.ProcessEnv, directory: string): string {
  const given = env.XDG_CACHE_HOME;
  const project = projectOf(directory);
  const isUsable = given !== undefined && isAbsolute(given) && !(project && liesIn(realPath(given), project));
  const folder = join(isUsable ? given : join(homedir(), ".cache"), "turnkit", "runner");
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const found = lstatSync(folder);
  const isForeign = process.getuid !== undefined && (found.uid !== process.getuid() || (found.mode & 0o022) !== 0);
  if (!found.isDirectory() || isForeign) throw new UsageError(`${folder} must be a folder of yours alone: remove it.`);
  for (const name of readdirSync(folder)) rmSync(join(folder, name), { recursive: true, force: true });
  return folder;
}

/** Returns the environment of a package runner. Variables with settings of an npm that started turnkit are removed. */
export function runnerEnvironment(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !/^npm_|^INIT_CWD$/.test(name)));
}
