import { randomBytes } from "node:crypto";
import { cp, lstat, mkdir, realpath, rename, rm, symlink } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { messageOf } from "../errors.js";
import { isWithin } from "../is-within.js";
import type { Covered, CoverSearch } from "./covered-paths.js";
import type { SessionMounts } from "./session-mounts.js";

/** Maximum number of searches after one command. */
const MAX_PASSES = 5;

/**
 * Moves protected and secret files away that a command has created. Restores links that the command has replaced. This
 * is needed because no mount can forbid names that do not exist yet.
 *
 * @returns a sentence for each changed path
 */
export async function takeBack(
  { roots, covered }: Pick<SessionMounts, "roots" | "covered">,
  { search, asideFolder }: { readonly search: CoverSearch; readonly asideFolder: string },
): Promise<readonly string[]> {
  const before = new Map(covered.map((one) => [one.path, one]));
  const isSame = ({ path, kind, target }: Covered): boolean => {
    const known = before.get(path);
    return known !== undefined && (known.kind === "link") === (kind === "link") && known.target === target;
  };
  const sentences: string[] = [];
  // A killed process may write until the system has ended it, so the search is repeated while it finds files.
  for (let pass = 0, last = -1; pass < MAX_PASSES && last !== sentences.length; pass += 1) {
    last = sentences.length;
    for (const root of new Set(roots)) {
      for (const found of await search(root)) {
        if (!isSame(found) && (await isReallyIn(root, found.path)))
          sentences.push(await moveAway(found.path, asideFolder));
      }
    }
  }
  for (const { path, kind, target } of covered) {
    if (kind !== "link" || target === undefined || (await exists(path))) continue;
    await symlink(target, path).catch(() => undefined);
    sentences.push(`The protected link ${path} was restored after the command had removed or replaced it.`);
  }
  return [...new Set(sentences)];
}

async function moveAway(path: string, asideFolder: string): Promise<string> {
  const folder = join(
    asideFolder,
    `${new Date().toISOString().replace(/[:.]/g, "-")}-${randomBytes(4).toString("hex")}`,
  );
  const target = join(folder, basename(path));
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await rename(path, target).catch(async (error: NodeJS.ErrnoException) => {
      if (error.code !== "EXDEV") throw error;
      await cp(path, target, { recursive: true, verbatimSymlinks: true });
      await rm(path, { recursive: true });
    });
    return `The command created ${path}, which is protected: it was moved to ${target}.`;
  } catch (error) {
    return `The command created ${path}, which is protected, and it could not be moved away: ${messageOf(error)}.`;
  }
}

/**
 * Returns `false` if a link leads to the folder of the path. Another process could have created such a link after the
 * search.
 */
async function isReallyIn(root: string, path: string): Promise<boolean> {
  const folder = await realpath(dirname(path)).catch(() => undefined);
  return folder !== undefined && folder === dirname(path) && isWithin(root, folder);
}

const exists = (path: string): Promise<boolean> =>
  lstat(path).then(
    () => true,
    () => false,
  );
