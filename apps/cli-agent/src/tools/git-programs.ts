import { execFile } from "node:child_process";
import { constants } from "node:fs";
import { access, readdir } from "node:fs/promises";
import { dirname, join, relative, resolve } from "node:path";
import { promisify } from "node:util";
import { isInside } from "@turnkit/transport/node";
import { commandEnvironment } from "./command-environment.js";
import type { GitPlaces } from "./git-folders.js";

/** Maximum number of repositories that are read. They are the repository of the folder, its submodules, and others. */
const MAX_REPOSITORIES = 50;

/** Limits of one call of Git: its time in milliseconds, and the size of its output in bytes. */
const LIMITS = { timeout: 10_000, maxBuffer: 32 * 1024 * 1024 };

/** Settings whose value is a program, or leads to a program. The values `true` and `false` are not programs. */
const STARTING = new RegExp(
  `^(?:${[
    "core\\.(?:fsmonitor|hookspath|sshcommand|gitproxy|askpass|editor|pager|alternaterefscommand)",
    "(?:alias|pager|sequence|guitool|browser|man|instaweb|sendemail|imap)\\..*",
    "filter\\..*\\.(?:clean|smudge|process)",
    "diff\\.(?:external|.*\\.(?:command|textconv))",
    "(?:merge|mergetool|difftool|trailer)\\..*\\.(?:driver|cmd|command|path)",
    "gpg\\.(?:.*\\.)?(?:program|defaultkeycommand)",
    "credential\\.(?:.*\\.)?helper",
    "remote\\..*\\.(?:uploadpack|receivepack|vcs)",
    "uploadpack\\.packobjectshook|interactive\\.difffilter|protocol\\.(?:.*\\.)?allow",
    "submodule\\..*\\.update",
  ].join("|")})$`,
  "is",
);

/**
 * Returns the settings and hooks of a folder's repository that start programs, as one text each. Git runs some of them
 * even for `git status`. Submodules are included. Settings of the user are included only if their file is in the
 * folder. No program of the repository runs while the settings are read.
 *
 * @param others other repositories to read, as `gitPlaces` finds them
 */
export async function gitPrograms(
  folder: string,
  signal: AbortSignal,
  others: GitPlaces = { folders: [], isCut: false },
): Promise<readonly string[]> {
  const found = new Set<string>(others.isCut ? ["repositories in folders that are too many to search"] : []);
  const waiting = [folder, ...others.folders];
  for (let count = 0; waiting.length > 0; count += 1) {
    const place = waiting.shift() ?? folder;
    if (count === MAX_REPOSITORIES) return [...found, `more than ${MAX_REPOSITORIES} repositories`];
    const prefix = place === folder ? "" : `${relative(folder, place)}: `;
    const repository = await readRepository(place, folder, signal);
    for (const text of repository.programs) found.add(prefix + text);
    waiting.push(...repository.submodules.filter((one) => !waiting.includes(one)));
  }
  return [...found];
}

type Repository = { readonly programs: readonly string[]; readonly submodules: readonly string[] };

async function readRepository(place: string, folder: string, signal: AbortSignal): Promise<Repository> {
  const git = (...args: readonly string[]) => askGit(place, args, signal);
  const [settings, hooks, top, files] = await Promise.all([
    git("config", "--list", "-z", "--show-scope", "--show-origin"),
    git("rev-parse", "--git-path", "hooks"),
    git("rev-parse", "--show-toplevel"),
    git("ls-files", "-s", "-z", "--full-name", ":/"),
  ]);
  signal.throwIfAborted();
  if (settings === "missing") return { programs: [], submodules: [] };
  if (settings === undefined) return { programs: ["settings that cannot be read"], submodules: [] };
  const fields = settings.split("\0");
  const programs: string[] = [];
  for (let at = 0; at + 2 < fields.length; at += 3) {
    const [scope = "", origin = "", entry = ""] = fields.slice(at, at + 3);
    const end = entry.indexOf("\n");
    const [name, value] = end < 0 ? [entry, ""] : [entry.slice(0, end), entry.slice(end + 1)];
    const isOfFolder = origin.startsWith("file:") && isInside(resolve(place, origin.slice("file:".length)), [folder]);
    const isOurs = scope === "local" || scope === "worktree" || isOfFolder;
    if (isOurs && STARTING.test(name) && !/^(?:true|false)?$/i.test(value)) programs.push(`${name} = ${value}`);
  }
  const hookFolder = hooks?.trimEnd();
  if (hookFolder) {
    for (const hook of await hooksIn(resolve(place, hookFolder))) programs.push(`hook ${join(hookFolder, hook)}`);
  }
  const links = (files ?? "").split("\0").flatMap((line) => /^160000 [^\t]*\t(.*)$/s.exec(line)?.[1] ?? []);
  return { programs, submodules: links.map((link) => join(top?.trimEnd() || place, link)) };
}

/**
 * Runs Git with options that prevent it from starting programs and fetching. Returns its output, or `undefined` if Git
 * fails.
 */
async function askGit(
  place: string,
  args: readonly string[],
  signal: AbortSignal,
): Promise<string | "missing" | undefined> {
  const off = ["-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null"];
  // This call returns the folder of hooks, so the option for hooks must not be set.
  const options = args[0] === "rev-parse" ? off.slice(0, 2) : off;
  try {
    const { stdout } = await promisify(execFile)("git", ["-C", place, ...options, ...args], {
      ...LIMITS,
      // Windows searches programs in the current folder first.
      cwd: dirname(process.execPath),
      env: {
        ...commandEnvironment(process.env),
        GIT_OPTIONAL_LOCKS: "0",
        GIT_ALLOW_PROTOCOL: "none",
      } as NodeJS.ProcessEnv,
      signal,
    });
    return stdout;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ENOENT" ? "missing" : undefined;
  }
}

async function hooksIn(folder: string): Promise<readonly string[]> {
  const names = await readdir(folder).catch(() => []);
  const hooks: string[] = [];
  for (const name of names.filter((one) => !one.endsWith(".sample"))) {
    const isProgram = await access(join(folder, name), constants.X_OK).then(
      () => true,
      () => false,
    );
    if (isProgram) hooks.push(name);
  }
  return hooks.sort();
}
