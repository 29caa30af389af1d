import { spawn } from "node:child_process";
import type { Dirent } from "node:fs";
import { opendir } from "node:fs/promises";
import { join } from "node:path";
import { findProgram, safeEnvironment } from "@turnkit/transport/node";
import { mentionOf } from "@turnkit/web/mentions";

/** Maximum number of files in the list, and of folders that are searched without Git. */
const MAX_FILES = 20_000;
const MAX_FOLDERS = 2_000;
const LIST_MS = 2_000;
/** Maximum length of a path and of all paths, in characters. */
const MAX_PATH = 1024;
const MAX_TEXT = 2 * 1024 * 1024;

/** Folders that are left out outside of Git repositories. */
const LEFT_OUT: ReadonlySet<string> = new Set([".git", ".hg", ".svn", "node_modules"]);

/**
 * Returns the files inside a folder that a mention can name, relative to the folder and with `/`. In a Git repository,
 * the list contains the tracked files and the untracked files that Git does not ignore. Elsewhere, it contains all
 * files except those in `node_modules` and in folders of version control. The list has at most 20 000 files and 2 Mi
 * characters, and ends after two seconds.
 */
export async function listCandidateFiles(directory: string, env: NodeJS.ProcessEnv): Promise<readonly string[]> {
  return (await filesOfGit(directory, env)) ?? (await filesOfFolder(directory));
}

/** Options for Git. With them, Git starts no program of the repository's configuration, and fetches nothing. */
const HARMLESS = [
  "--no-pager",
  "-c",
  "core.fsmonitor=false",
  "-c",
  "core.sshCommand=false",
  "-c",
  "credential.helper=",
];
const LISTED = ["ls-files", "-z", "--cached", "--others", "--exclude-standard"];

async function filesOfGit(directory: string, env: NodeJS.ProcessEnv): Promise<readonly string[] | undefined> {
  const safe = safeEnvironment(env, [directory]);
  const git = await findProgram("git", { env, distrusted: [directory] });
  if (git === undefined) return undefined;
  const own = { GIT_ALLOW_PROTOCOL: "none", GIT_NO_LAZY_FETCH: "1", GIT_OPTIONAL_LOCKS: "0", GIT_TERMINAL_PROMPT: "0" };
  const kept = Object.entries(safe).filter(([name]) => !/^GIT_/i.test(name));
  const child = spawn(git, [...HARMLESS, ...LISTED], {
    ...{ cwd: directory, env: { ...Object.fromEntries(kept), ...own } },
    ...{ stdio: ["ignore", "pipe", "ignore"], timeout: LIST_MS, killSignal: "SIGKILL" },
  });
  const ended = new Promise<number | null>((resolve) => {
    child.once("error", () => resolve(-1));
    child.once("close", resolve);
  });
  const paths: string[] = [];
  let length = 0;
  let rest = "";
  child.stdout.setEncoding("utf8");
  for await (const chunk of child.stdout) {
    const parts = `${rest}${chunk}`.split("\0");
    rest = parts.pop() ?? "";
    for (const path of parts) {
      if (!isUsable(path)) continue;
      paths.push(path);
      length += path.length;
    }
    if (paths.length <= MAX_FILES && length <= MAX_TEXT && rest.length <= MAX_PATH * 8) continue;
    child.kill("SIGKILL");
    break;
  }
  return (await ended) !== 0 && paths.length === 0 ? undefined : paths.slice(0, MAX_FILES);
}

/** Lists the files level by level, so that a list that is cut at a bound contains the nearest files. */
async function filesOfFolder(directory: string): Promise<readonly string[]> {
  const end = performance.now() + LIST_MS;
  const paths: string[] = [];
  const folders = [""];
  let length = 0;
  for (let index = 0; index < folders.length; index++) {
    const inner = folders[index] ?? "";
    for await (const entry of entriesOf(join(directory, inner))) {
      if (paths.length >= MAX_FILES || length > MAX_TEXT || performance.now() > end) return paths;
      const path = inner === "" ? entry.name : `${inner}/${entry.name}`;
      if (!isUsable(path)) continue;
      length += path.length;
      if (entry.isFile()) paths.push(path);
      else if (entry.isDirectory() && !LEFT_OUT.has(entry.name) && folders.length < MAX_FOLDERS) folders.push(path);
    }
  }
  return paths;
}

/**
 * Yields the entries of a folder, up to the first entry that cannot be read. Some folders can be opened but not read.
 */
async function* entriesOf(folder: string): AsyncGenerator<Dirent> {
  try {
    yield* await opendir(folder);
  } catch {
    // The search continues with the other folders.
  }
}

/** Returns `true` for a path that a person can see and a mention can name. */
function isUsable(path: string): boolean {
  return path.length <= MAX_PATH && mentionOf(path) !== undefined;
}
