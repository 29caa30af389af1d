import { constants } from "node:fs";
import { access, readdir } from "node:fs/promises";
import { join, relative, resolve } from "node:path";
import { isInside } from "@turnkit/transport/node";
import { readGit } from "../git/read-git.js";
import { type GitPlaces, repositoryAt } from "./git-folders.js";
import { remoteOf, startsProgram } from "./git-settings.js";

/** Maximum number of repositories that are read. They are the repository of the folder, its submodules, and others. */
const MAX_REPOSITORIES = 50;

/**
 * Returns the settings and hooks of a folder's repository that start programs, as one text each. Git runs some of them
 * even for `git status`. Submodules, and remotes on this machine, are included. Settings of the user are included only if their file is in the
 * folder. No program of the repository runs while the settings are read.
 *
 * @param others other repositories to read, as `gitPlaces` finds them
 */
export async function gitPrograms(
  folder: string,
  session: { readonly roots: readonly string[]; readonly signal: AbortSignal },
  others: GitPlaces = { folders: [], isCut: false },
): Promise<readonly string[]> {
  const found = new Set<string>(others.isCut ? ["repositories in folders that are too many to search"] : []);
  const waiting = [folder, ...others.folders];
  const known = new Set(waiting);
  for (let count = 0; waiting.length > 0; count += 1) {
    const place = waiting.shift() ?? folder;
    if (count === MAX_REPOSITORIES) return [...found, `more than ${MAX_REPOSITORIES} repositories`];
    const prefix = place === folder ? "" : `${relative(folder, place)}: `;
    const repository = await readRepository(place, folder, session);
    for (const text of repository.programs) found.add(prefix + text);
    for (const one of repository.others) if (!known.has(one)) waiting.push(one);
    for (const one of repository.others) known.add(one);
  }
  return [...found];
}

type Repository = { readonly programs: readonly string[]; readonly others: readonly string[] };

async function readRepository(
  place: string,
  folder: string,
  session: Parameters<typeof gitPrograms>[1],
): Promise<Repository> {
  const git = async (...args: readonly string[]) => {
    // The paths of the repository are read without the setting that disables hooks.
    const { output, problem } = await readGit(place, args, {
      ...{ ...session, keepsVariables: true },
      keepsHooks: args[0] === "rev-parse",
    });
    return problem === "missing" ? problem : output;
  };
  const [settings, hooks, top, files, remotes, branches] = await Promise.all([
    git("config", "--list", "-z", "--show-scope", "--show-origin"),
    git("rev-parse", "--git-path", "hooks"),
    git("rev-parse", "--show-toplevel"),
    git("ls-files", "-s", "-z", "--full-name", ":/"),
    git("rev-parse", "--git-path", "remotes"),
    git("rev-parse", "--git-path", "branches"),
  ]);
  session.signal.throwIfAborted();
  if (settings === "missing") return { programs: [], others: [] };
  if (settings === undefined) return { programs: ["settings that cannot be read"], others: [] };
  const fields = settings.split("\0");
  const root = top?.trimEnd() || place;
  const programs: string[] = [];
  const urls: string[] = [];
  for (let at = 0; at + 2 < fields.length; at += 3) {
    const [scope = "", origin = "", entry = ""] = fields.slice(at, at + 3);
    const end = entry.indexOf("\n");
    const [name, value] = end < 0 ? [entry, ""] : [entry.slice(0, end), entry.slice(end + 1)];
    const isOfFolder = origin.startsWith("file:") && isInside(resolve(place, origin.slice("file:".length)), [folder]);
    const isOurs = scope === "local" || scope === "worktree" || isOfFolder;
    if (!isOurs) continue;
    if (startsProgram(name, value)) programs.push(`${name} = ${value}`);
    urls.push(...remoteOf(name, value));
  }
  const hookFolder = hooks?.trimEnd();
  if (hookFolder) {
    for (const hook of await hooksIn(resolve(place, hookFolder))) programs.push(`hook ${join(hookFolder, hook)}`);
  }
  // Old versions of Git stored remotes in files of these folders, and not in settings.
  for (const old of [remotes?.trimEnd(), branches?.trimEnd()]) {
    const names = old ? await readdir(resolve(place, old)).catch(() => []) : [];
    programs.push(...names.slice(0, MAX_REPOSITORIES).map((name) => `remote ${join(old ?? "", name)}`));
  }
  const links = (files ?? "").split("\0").flatMap((line) => /^160000 [^\t]*\t(.*)$/s.exec(line)?.[1] ?? []);
  // One path more than the limit is enough to detect that there are too many.
  const submodules = links.slice(0, MAX_REPOSITORIES + 1).map((link) => join(root, link));
  return { programs, others: [...submodules, ...(await remotesHere(urls, root))] };
}

async function remotesHere(urls: readonly string[], root: string): Promise<readonly string[]> {
  const paths = new Set(urls.map((url) => resolve(root, url.replace(/^file:\/\/(?:localhost(?=\/))?/i, ""))));
  const found: string[] = [];
  for (const path of paths) {
    const repository = found.length > MAX_REPOSITORIES ? undefined : await repositoryAt(path);
    if (repository !== undefined && repository !== root) found.push(repository);
  }
  return found;
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
