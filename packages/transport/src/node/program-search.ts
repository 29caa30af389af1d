import { existsSync, lstatSync, readlinkSync, realpathSync } from "node:fs";
import { access, constants, realpath, stat } from "node:fs/promises";
import { homedir } from "node:os";
import { basename, delimiter, dirname, isAbsolute, join, parse, resolve } from "node:path";
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
 * Folders whose programs are not started, such as all roots of a session. The project around each folder is left out, and
 * so is the project in which this process works. With `nothing`, only relative entries are left out.
 */
export type Distrusted = readonly string[] | "nothing";

/**
 * Returns an environment in which only programs of the user are found. Entries of `PATH` and similar variables are
 * removed if they are empty, relative, or lead into a distrusted folder, also through links.
 */
export function safeEnvironment(env: Environment, distrusted: Distrusted): Environment {
  const projects = projectsOf(distrusted);
  const safe: Record<string, string | undefined> = { ...env };
  for (const [name, value] of Object.entries(env)) {
    if (!SEARCHED.test(name) || value === undefined) continue;
    const kept = value.split(delimiter).filter((folder) => isSafe(folder, projects));
    if (kept.length > 0) safe[name] = kept.join(delimiter);
    // Systems treat an empty PATH as the current folder. Some shells also do so if PATH is missing.
    else if (name.toUpperCase() === "PATH") safe[name] = process.platform === "win32" ? "C:\\Windows" : "/usr/bin:/bin";
    else delete safe[name];
  }
  return safe;
}

function isSafe(folder: string, projects: readonly string[]): boolean {
  const bare = folder.replace(/^"(.*)"$/, "$1");
  return isAbsolute(bare) && !leadsInto(bare, projects, process.platform);
}

/** Returns `true` if a path, or a link on its way, is in one of the folders. */
function leadsInto(path: string, folders: readonly string[], platform: NodeJS.Platform): boolean {
  // Systems other than Linux usually ignore case, and some keep another form of a name with accents.
  const plain = (text: string) => (platform === "linux" ? text : text.normalize().toLowerCase());
  const roots = folders.map(plain);
  // `/proc/self/cwd` is the current folder of the process that opens it.
  return [path, realPath(path), ...wayOf(path)].some(
    (one) => /^\/+(?:proc|dev)\//.test(one) || isInside(plain(one), roots),
  );
}

/** Maximum number of links on the way of a path. Systems allow about 40. */
const MAX_LINKS = 100;

/** Returns each folder and link that the system visits on the way to a path. Each may be replaced by who can write there. */
function wayOf(path: string): readonly string[] {
  const way: string[] = [];
  let { root: place } = parse(path);
  const rest = path.slice(place.length).split(SEPARATOR);
  for (let links = 0; rest.length > 0 && links < MAX_LINKS; ) {
    const name = rest.shift() ?? "";
    const next = join(place, name);
    if (next !== place) way.push(next);
    const target = name === "" || /^\.\.?$/.test(name) ? undefined : targetOf(next);
    place = next;
    if (target === undefined) continue;
    links += 1;
    const { root } = parse(target);
    place = isAbsolute(target) ? root : dirname(next);
    rest.unshift(...target.slice(root.length).split(SEPARATOR));
  }
  return way;
}

const SEPARATOR = process.platform === "win32" ? /[\\/]+/ : /\/+/;

function targetOf(path: string): string | undefined {
  try {
    // An error costs more than a second look, and most paths are no links.
    return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ? readlinkSync(path) : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Returns `true` if a path is in the project that contains a folder. Links are resolved. If the project contains the
 * user's home, the result is `false`.
 */
export function isInProject(path: string, directory: string): boolean {
  const project = projectOf(directory);
  return project !== undefined && (isInside(resolve(path), [project]) || isInside(realPath(path), [project]));
}

/** Returns the projects of distrusted folders, and the project in which this process works. */
function projectsOf(distrusted: Distrusted): readonly string[] {
  if (distrusted === "nothing") return [];
  const here = currentFolder();
  const own = here === undefined ? undefined : markedProjectOf(here);
  return [...distrusted.map(projectOf), own].filter((one) => one !== undefined);
}

function currentFolder(): string | undefined {
  try {
    return process.cwd();
  } catch {
    // The folder was removed.
    return undefined;
  }
}

/**
 * Returns the outermost project folder that contains a folder, or the folder itself if it is in no project. Returns
 * `undefined` if the user's home is inside it.
 */
function projectOf(directory: string): string | undefined {
  const start = realPath(directory);
  if (isInside(realPath(homedir()), [start])) return undefined;
  return markedProjectOf(directory) ?? start;
}

/** Returns the outermost folder with the marks of a project that contains a folder, but not the user's home. */
function markedProjectOf(directory: string): string | undefined {
  const home = realPath(homedir());
  let project: string | undefined;
  let folder = realPath(directory);
  for (; !isInside(home, [folder]) && dirname(folder) !== folder; folder = dirname(folder)) {
    if (MARKS.some((mark) => existsSync(join(folder, mark)))) project = folder;
  }
  return project;
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

/** Environment whose `PATH` is searched for a program, and the folders whose programs are not used. */
export type ProgramSearchOptions = {
  readonly env: Environment;
  readonly distrusted: Distrusted;
  readonly platform?: NodeJS.Platform;
  /**
   * `true` for a program that a person named, such as an agent. It is also found in a distrusted folder that contains the
   * user's home.
   */
  readonly isChosen?: boolean;
  /**
   * With `true`, programs are left out if they belong to another user (except the system), or if everybody can replace
   * them. Without effect on Windows.
   */
  readonly owned?: boolean;
};

/**
 * Finds the file of a program in `PATH`, as a shell does. Returns `undefined` if there is none. Does not start the
 * program, and never searches the current directory. A program is left out if its file, or a link that leads to it, is in
 * a distrusted folder. A name with a path is used as it is.
 */
export async function findProgram(name: string, place: ProgramSearchOptions): Promise<string | undefined> {
  const { env, platform = process.platform } = place;
  const endings = platform === "win32" ? ["", ...(env.PATHEXT ?? ".COM;.EXE;.BAT;.CMD").split(";")] : [""];
  const hasPath = /[\\/]/.test(name);
  const searched = safeEnvironment({ PATH: env.PATH ?? env.Path ?? "" }, "nothing").PATH ?? "";
  const bases = hasPath ? [resolve(name)] : searched.split(delimiter).map((folder) => join(folder, name));
  const folders = foldersOf(place);
  for (const base of bases) {
    for (const ending of endings) {
      const file = base + ending;
      if (!(await isProgram(file, platform))) continue;
      if (!hasPath && leadsInto(file, folders, platform)) continue;
      if (!place.owned || (await isOwned(file))) return file;
    }
  }
  return undefined;
}

function foldersOf({ distrusted, isChosen = false }: ProgramSearchOptions): readonly string[] {
  const projects = projectsOf(distrusted);
  return isChosen || distrusted === "nothing" ? projects : [...projects, ...distrusted.map(realPath)];
}

async function isOwned(file: string): Promise<boolean> {
  const real = await realpath(file);
  return (await belongsToUser(real)) && (await belongsToUser(dirname(real)));
}

async function belongsToUser(path: string): Promise<boolean> {
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
