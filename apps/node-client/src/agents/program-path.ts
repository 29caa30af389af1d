import { existsSync, lstatSync, mkdirSync, readdirSync, realpathSync, rmSync } from "node:fs";
import { access, constants, stat } from "node:fs/promises";
import { homedir } from "node:os";
import { basename, delimiter, dirname, isAbsolute, join, normalize, relative, resolve, sep } from "node:path";
import { UsageError } from "../exit-code.js";

/** Variables that list folders of programs, libraries or modules. An empty entry means the current folder. */
const SEARCHED = new Set([
  ...["PATH", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "DYLD_FALLBACK_LIBRARY_PATH", "DYLD_FRAMEWORK_PATH"],
  ...["NODE_PATH", "PYTHONPATH", "PERL5LIB", "RUBYLIB"],
]);

/** Files and folders that mark the folder of a project. */
const MARKS = [".git", ".hg", ".svn", "package.json", "pyproject.toml"];

/**
 * Returns an environment in which programs are found only where the user installed them. Empty and relative entries of
 * `PATH` and its like are dropped, and so are those inside the project of `directory`.
 */
export function safeEnvironment(env: NodeJS.ProcessEnv, directory?: string): NodeJS.ProcessEnv {
  const project = directory === undefined ? undefined : projectOf(directory);
  const safe = { ...env };
  for (const [name, value] of Object.entries(env)) {
    if (!SEARCHED.has(name.toUpperCase()) || value === undefined) continue;
    const kept = value.split(delimiter).filter((folder) => isSafe(folder, project));
    if (kept.length > 0) safe[name] = kept.join(delimiter);
    // Systems read an empty PATH as the current folder, and some shells a missing one too.
    else if (name.toUpperCase() === "PATH") safe[name] = process.platform === "win32" ? "C:\\Windows" : "/usr/bin:/bin";
    else delete safe[name];
  }
  return safe;
}

function isSafe(folder: string, project: string | undefined): boolean {
  const bare = folder.replace(/^"(.*)"$/, "$1");
  // `/proc/self/cwd` is the current folder of whoever opens it.
  if (!isAbsolute(bare) || /^\/+(proc|dev)\//.test(normalize(bare))) return false;
  return project === undefined || !(liesIn(bare, project) || liesIn(realPath(bare), project));
}

/** Returns the outermost folder of the project around a folder; `undefined` if that holds the user's home. */
function projectOf(directory: string): string | undefined {
  const start = realPath(directory);
  const home = realPath(homedir());
  let project = start;
  for (let folder = start; !liesIn(home, folder) && dirname(folder) !== folder; folder = dirname(folder)) {
    if (MARKS.some((mark) => existsSync(join(folder, mark)))) project = folder;
  }
  return liesIn(home, project) ? undefined : project;
}

/** Returns whether a path is a folder or lies in it, by the text of both. */
export function liesIn(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

function realPath(given: string): string {
  const path = resolve(given);
  try {
    return realpathSync.native(path);
  } catch {
    // Only its parents exist: links among them count.
    return dirname(path) === path ? path : join(realPath(dirname(path)), basename(path));
  }
}

export type ProgramPlace = { readonly env: NodeJS.ProcessEnv; readonly platform?: NodeJS.Platform };

/**
 * Finds the file of a program as a shell would, in `PATH`; `undefined` if there is none. Starts nothing, and never
 * searches the current directory.
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
 * Empties and returns the folder in which package runners start: `turnkit/runner` in `$XDG_CACHE_HOME`, else in
 * `~/.cache`. Nobody else can write to it.
 *
 * @throws UsageError if it is a link, or another user's
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

/** Returns the environment of a package runner, without what an npm that started turnkit read in its own folder. */
export function runnerEnvironment(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !/^npm_|^INIT_CWD$/.test(name)));
}
