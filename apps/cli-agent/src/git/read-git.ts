import { execFile } from "node:child_process";
import { dirname } from "node:path";
import { promisify } from "node:util";
import { findProgram } from "@turnkit/transport/node";
import { commandEnvironment } from "../tools/command-environment.js";
import { endlessFile } from "./own-files.js";

/** Limits of one call of Git: its time in milliseconds, and the size of its output in bytes. */
const LIMITS = { timeout: 10_000, maxBuffer: 32 * 1024 * 1024 };

export type GitOptions = {
  readonly signal: AbortSignal;
  /** Settings by name, which override the settings of the repository. */
  readonly settings?: ReadonlyMap<string, string>;
  /** `true` keeps the repository's folder of hooks, whose path Git then returns. No call here runs hooks. */
  readonly keepsHooks?: boolean;
  /** `true` keeps the user's variables for Git, such as `GIT_DIR`. Commands get these variables too. */
  readonly keepsVariables?: boolean;
  /** Roots of the session. A program `git` inside their projects is never started. */
  readonly roots: readonly string[];
};

/** Output of Git, or the reason why there is none: Git is not installed, or its own message. */
export type GitAnswer =
  | { readonly output: string; readonly problem?: undefined }
  | { readonly output?: undefined; readonly problem: "missing" | "failed"; readonly reason: string };

/**
 * Runs Git with options that prevent Git from starting programs, fetching and writing. Never rejects, except with the
 * reason of the signal. Settings of filters are overridden only by `settings`.
 */
export async function readGit(place: string, args: readonly string[], options: GitOptions): Promise<GitAnswer> {
  const { signal, settings = new Map(), keepsHooks = false, roots } = options;
  const git = await gitOf(roots);
  if (git === undefined) return { problem: "missing", reason: "Git is not installed" };
  const endless = await endlessFile(place);
  if (endless !== undefined) return { problem: "failed", reason: `${endless} is a device, a pipe or too large` };
  const off = ["core.fsmonitor=false", "log.showSignature=false", ...(keepsHooks ? [] : ["core.hooksPath=/dev/null"])];
  const first = ["-C", place, "--no-pager", ...off.flatMap((setting) => ["-c", setting])];
  try {
    const { stdout } = await promisify(execFile)(git, [...first, ...args], {
      ...LIMITS,
      // Windows searches programs in the current folder first.
      cwd: dirname(process.execPath),
      env: { ...environment(options), ...configuration(settings) } as NodeJS.ProcessEnv,
      signal,
    });
    return { output: stdout };
  } catch (error) {
    signal.throwIfAborted();
    const { stderr = "", message, code } = error as NodeJS.ErrnoException & { readonly stderr?: string };
    if (code === "ENOENT") programs.delete(roots);
    return { problem: "failed", reason: stderr.trim().split("\n").at(-1) || message };
  }
}

/** Program Git by the roots of its session, with the `PATH` in which it was found. */
const programs = new WeakMap<readonly string[], { readonly path?: string; readonly git: string }>();

/** Finds Git once for each session, because a search takes several milliseconds. A missing Git is searched again. */
async function gitOf(roots: readonly string[]): Promise<string | undefined> {
  const path = process.env.PATH;
  const known = programs.get(roots);
  if (known !== undefined && known.path === path) return known.git;
  const git = await findProgram("git", { env: process.env, distrusted: roots });
  if (git !== undefined) programs.set(roots, { path, git });
  return git;
}

/** Returns the environment. Variables of the user could name another repository, or a program for diffs. */
function environment({ roots, keepsVariables = false }: GitOptions): Record<string, string | undefined> {
  const env = commandEnvironment(process.env, { distrusted: roots });
  return {
    ...Object.fromEntries(Object.entries(env).filter(([name]) => keepsVariables || !/^GIT_/i.test(name))),
    GIT_OPTIONAL_LOCKS: "0",
    GIT_ALLOW_PROTOCOL: "none",
    GIT_NO_LAZY_FETCH: "1",
    GIT_TERMINAL_PROMPT: "0",
    LC_ALL: "C",
  };
}

/** Returns settings as variables. Unlike options, their names may have any character. Git reads them from 2.31 on. */
function configuration(settings: ReadonlyMap<string, string>): Record<string, string> {
  const pairs = [...settings].flatMap(([name, value], at) => [
    [`GIT_CONFIG_KEY_${at}`, name],
    [`GIT_CONFIG_VALUE_${at}`, value],
  ]);
  return settings.size === 0 ? {} : { GIT_CONFIG_COUNT: String(settings.size), ...Object.fromEntries(pairs) };
}
