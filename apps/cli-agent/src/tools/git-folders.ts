import { readdir, readFile, realpath, stat } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { parseCommandLine, type SimpleCommand } from "@turnkit/session/command";

/** Maximum number of folders that are searched for other repositories, and that a line may name. */
const MAX_SEARCHED = 5_000;
const MAX_NAMED = 200;

/** Programs that run the line or the program in their arguments. */
const RUNNING =
  /^(?:sh|bash|dash|zsh|ksh|mksh|ash|fish|busybox|cmd|powershell|pwsh|eval|source|\.|parallel|script|su)$/;
const MOVING = /^(?:cd|chdir|pushd)$/;
const WINDOWS_SYNTAX = /[\^%\\!]/;

/** Repositories that Git may use with a command line, besides the repository of the line's folder. */
export type GitPlaces = {
  readonly folders: readonly string[];
  /** `true` if there are too many folders to search. */
  readonly isCut: boolean;
};

/**
 * Returns the repositories that Git may use with a command line. Returns `undefined` for a line without Git. A line
 * that the parser cannot read may contain Git, and may use every repository below the folder. In other lines, each
 * argument may be a folder: of `cd`, `-C` and `--git-dir`, but also of unknown options.
 */
export async function gitPlaces(
  line: string,
  folder: string,
  platform: NodeJS.Platform = process.platform,
): Promise<GitPlaces | undefined> {
  const commands = platform === "win32" && WINDOWS_SYNTAX.test(line) ? undefined : parseCommandLine(line);
  if (commands === undefined || commands.some(isUnclear)) {
    const found = await repositoriesIn(folder);
    const named = await repositoriesOf(line.split(/[\s"'`;|&()<>$={}:,]+/), [folder], folder);
    return { folders: [...new Set([...found.folders, ...named.folders])], isCut: found.isCut || named.isCut };
  }
  if (!commands.some(({ words }) => words.some(({ text }) => /\bgit\b/i.test(text)))) return undefined;
  const folders = new Set([folder]);
  let isCut = false;
  const named: string[] = [];
  for (const { words } of commands) {
    const texts = words.map(({ text }) => text);
    named.push(...texts.flatMap(namesIn));
    // Each `cd` is relative to the previous folder. The same is true for each `-C` of one command.
    const moves = texts.filter((_, at) => at > 0 && (MOVING.test(texts[0] ?? "") || texts[at - 1] === "-C"));
    for (const move of moves) {
      // Each move may double the number of folders.
      isCut ||= folders.size > MAX_NAMED;
      if (isCut) break;
      for (const one of [...folders]) folders.add(resolve(one, move));
    }
    if (isCut) break;
  }
  const places = await repositoriesOf(named, [...folders], folder);
  return { folders: places.folders, isCut: isCut || places.isCut };
}

/** Returns the paths that a word may name: the word itself, the value of an option, and the path of a local URL. */
function namesIn(word: string): readonly string[] {
  return [word, word.replace(/^[^=]*=/, ""), word.replace(/^-\w/, ""), word.replace(/^file:\/\//, "")];
}

/** Returns `true` for a command whose program or folder is not certain. */
function isUnclear({ words: [program, ...args] }: SimpleCommand): boolean {
  const name = basename(program.text).toLowerCase();
  if (program.isGlob || RUNNING.test(name.replace(/\.exe$/, ""))) return true;
  if (MOVING.test(name)) return args.length !== 1 || args.some(({ text, isGlob }) => isGlob || /^[-+]/.test(text));
  // `env` and similar programs run a program that an argument names. A pattern in this place is therefore not certain.
  const mayRun = args.some(({ text }) => /\bgit\b/i.test(text)) || /^git(?:\.exe)?$/.test(name);
  const takesLine = args.some(({ text }) => RUNNING.test(basename(text)) || /^-S|^--split-string/.test(text));
  return takesLine || (mayRun && args.some(({ isGlob }) => isGlob));
}

/** Returns the repositories of the named folders, without the repository of the line's own folder. */
async function repositoriesOf(named: readonly string[], from: readonly string[], folder: string): Promise<GitPlaces> {
  const own = await repositoryOf(folder);
  const folders = new Set<string>();
  const paths = new Set<string>();
  const listed = new Map<string, Promise<boolean>>();
  const names = new Set(["", ...named]);
  for (const one of from) {
    for (const name of names) {
      const path = resolve(one, name);
      if (paths.has(path)) continue;
      paths.add(path);
      if (paths.size > MAX_SEARCHED) return { folders: [...folders], isCut: true };
      const repository = await repositoryOf(path, listed);
      if (repository !== undefined && repository !== own) folders.add(repository);
    }
  }
  return { folders: [...folders], isCut: false };
}

/**
 * Returns the repository that a remote of Git leads to, if it is a folder of this machine. Git runs hooks of this
 * repository, for example after a push.
 */
export async function repositoryAt(path: string): Promise<string | undefined> {
  for (const one of [path, `${path}.git`]) if (await holdsRepository(one)) return one;
  return undefined;
}

/** Returns the folder of the repository that Git finds from a path. A file may lead to a repository. */
async function repositoryOf(path: string, listed = new Map<string, Promise<boolean>>()): Promise<string | undefined> {
  const found = await stat(path).catch(() => undefined);
  if (found?.isFile() && found.size < 10_000) {
    const target = /^gitdir: (.*)/.exec(await readFile(path, "utf8").catch(() => ""))?.[1];
    return target === undefined ? undefined : repositoryOf(resolve(dirname(path), target.trimEnd()), listed);
  }
  if (!found?.isDirectory()) return undefined;
  let at = await realpath(path).catch(() => path);
  for (;;) {
    // A line may name many folders with the same parents, so the results are stored.
    const holds = listed.get(at) ?? holdsRepository(at);
    listed.set(at, holds);
    if (await holds) return at;
    if (dirname(at) === at) return undefined;
    at = dirname(at);
  }
}

async function holdsRepository(folder: string): Promise<boolean> {
  return isRepository(await readdir(folder).catch(() => []));
}

/** Returns `true` for the names in a folder with a repository, even if the repository has no files. */
function isRepository(names: readonly string[]): boolean {
  const all = new Set(names.map((name) => name.toLowerCase()));
  return all.has(".git") || ["head", "objects", "refs"].every((name) => all.has(name));
}

async function repositoriesIn(folder: string): Promise<GitPlaces> {
  const found: string[] = [];
  const waiting = [folder];
  for (let at = 0; at < waiting.length; at += 1) {
    if (at >= MAX_SEARCHED) return { folders: found, isCut: true };
    const place = waiting[at] ?? folder;
    const entries = await readdir(place, { withFileTypes: true }).catch(() => []);
    if (at > 0 && isRepository(entries.map(({ name }) => name))) found.push(place);
    for (const entry of entries) {
      if (entry.isDirectory() && entry.name.toLowerCase() !== ".git") waiting.push(join(place, entry.name));
    }
  }
  return { folders: found, isCut: false };
}
