import { realpath } from "node:fs/promises";
import { dirname, join, resolve, sep } from "node:path";
import { isInside } from "@turnkit/transport/node";
import { ToolError } from "../errors.js";
import { hasOwnFiles, readSmall } from "./own-files.js";
import { type GitAnswer, readGit } from "./read-git.js";

/** Oldest version of Git whose settings can be overridden by variables. */
const LEAST_VERSION = [2, 31] as const;

/** Repository whose files belong to the session. */
export type Repository = {
  /** Real path of the folder in which Git runs. Names in its output are relative to it. */
  readonly folder: string;
  /**
   * Runs a command of Git that only reads, and returns its output. No program of the repository runs. Paths are literal:
   * they have no patterns.
   *
   * @throws ToolError `failed` with the message of Git
   */
  read(...args: readonly string[]): Promise<string>;
  /** Runs such a command. Returns `undefined` if Git fails. */
  tryRead(...args: readonly string[]): Promise<string | undefined>;
};

export type GitSession = { readonly roots: readonly string[]; readonly signal: AbortSignal };

/**
 * Opens the repository of a folder for reading. Filters of the repository are switched off. A repository is refused if
 * its files, commits or objects could belong to somebody else. Otherwise a hostile project could point to a private
 * repository of the user, by a `.git` file, `core.worktree`, alternates or links.
 *
 * @throws ToolError `unsupported` or `outside` with the reason
 */
export async function openRepository(given: string, { roots, signal }: GitSession): Promise<Repository> {
  const folder = await realpath(given);
  const plain = { signal, roots };
  const version = outputOf(await readGit(folder, ["version"], plain));
  const [major = 0, minor = 0] = (/(\d{1,9})\.(\d{1,9})/.exec(version) ?? []).slice(1).map(Number);
  if (major < LEAST_VERSION[0] || (major === LEAST_VERSION[0] && minor < LEAST_VERSION[1])) {
    throw new ToolError("unsupported", `Changes are read with Git ${LEAST_VERSION.join(".")} or newer.`);
  }
  const names = outputOf(await readGit(folder, ["config", "--list", "-z", "--name-only"], plain)).split("\0");
  const options = { ...plain, settings: withoutFilters(names) };
  const places = await readGit(
    folder,
    ["rev-parse", "--show-toplevel", "--absolute-git-dir", "--git-common-dir"],
    options,
  );
  if (places.problem !== undefined) {
    throw new ToolError("unsupported", `\`${given}\` is in no Git repository with files.`);
  }
  const lines = places.output.trimEnd().split("\n");
  const [top = "", own = "", common = ""] = await Promise.all(
    lines.map((line) => realpath(resolve(folder, line)).catch(() => "")),
  );
  const real = await Promise.all(roots.map((root) => realpath(root).catch(() => root)));
  const place = { folder, roots: real, top };
  const isOurs =
    lines.length === 3 &&
    isInside(folder, [top]) &&
    (isOwn(common, place) || (await isLinkedWorktree({ top, own, common }))) &&
    (await hasOwnFiles([common, own], (one) => isInside(one, [...real, common, own])));
  if (!isOurs) {
    throw new ToolError(
      "outside",
      "The Git repository of this folder is elsewhere, outside of the folders of the session.",
    );
  }
  const run = (args: readonly string[]) => readGit(folder, ["--literal-pathspecs", ...args], options);
  return {
    folder,
    tryRead: async (...args) => (await run(args)).output,
    read: async (...args) => outputOf(await run(args)),
  };
}

function outputOf(answer: GitAnswer): string {
  if (answer.output !== undefined) return answer.output;
  if (answer.problem === "missing") throw new ToolError("unsupported", `${answer.reason}.`);
  throw new ToolError("failed", `Git failed: ${answer.reason}`);
}

/** Returns settings without effect for each filter. Git would run a filter to compare a file. */
function withoutFilters(names: readonly string[]): ReadonlyMap<string, string> {
  const filters = new Set(names.flatMap((name) => /^filter\.(.*)\.[^.]*$/is.exec(name)?.[1] ?? []));
  return new Map(
    [...filters].flatMap((filter) => [
      ...["clean", "smudge", "process"].map((part) => [`filter.${filter}.${part}`, ""] as const),
      [`filter.${filter}.required`, "false"] as const,
    ]),
  );
}

/**
 * Returns `true` for a repository inside the roots, and for one around the session's folder: the `.git` of its worktree,
 * or that of a submodule. A `.git` file could lead to the private repository of a folder further up.
 */
function isOwn(
  common: string,
  { folder, roots, top }: { readonly folder: string; readonly roots: readonly string[]; readonly top: string },
): boolean {
  if (common === "") return false;
  if (isInside(common, roots) || common === join(top, ".git")) return true;
  const end = common.indexOf(join(sep, ".git", "modules", sep));
  return end >= 0 && isInside(folder, [common.slice(0, end) || sep]);
}

/**
 * Returns `true` for a worktree that is registered in its repository: the repository has the path of the worktree's
 * `.git` file.
 */
async function isLinkedWorktree(place: { readonly top: string; readonly own: string; readonly common: string }) {
  const { top, own, common } = place;
  if (common === "" || !isInside(own, [join(common, "worktrees")]) || own === common) return false;
  const known = await readSmall(join(own, "gitdir")).catch(() => "");
  const target = await realpath(resolve(own, known.trimEnd())).catch(() => undefined);
  return target !== undefined && target === join(top, ".git") && dirname(target) === top;
}
