import { existsSync } from "node:fs";
import { realpath } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, join, relative } from "node:path";
import { createLocalFiles } from "@turnkit/agent/node";
import { isOwnPath } from "./config/own-file.js";

const NAME = "AGENTS.md";

/** Largest length in characters: `MAX_FILE` for one file, `MAX_TOTAL` for all files together. */
const MAX_FILE = 32_000;
const MAX_TOTAL = 96_000;

/** Number of folders, from the session's folder upwards, in which a repository is searched. */
const MAX_DEPTH = 64;

/**
 * Rules of a session's projects for agents. `refused` contains the files that are not used, because another user could
 * have written them.
 */
export type ProjectRules = { readonly text: string; readonly refused: readonly string[] };

/**
 * Reads the rules of a session's projects. For each folder of the session, these are the `AGENTS.md` files from the
 * root of its repository down to the folder itself.
 *
 * - Links that leave the repository are not followed.
 * - A file is refused if it or its folder belongs to another user, or is writable for everyone.
 * - Folders that are on another machine have no rules.
 *
 * @param roots folders of the session, its working folder first
 * @param isTrusted asks the user; called at most once for each root with rules
 */
export async function readProjectRules(
  roots: readonly string[],
  isTrusted: (root: string) => Promise<boolean>,
): Promise<ProjectRules> {
  const seen = new Set<string>();
  const texts: string[] = [];
  const refused: string[] = [];
  let room = MAX_TOTAL;
  for (const root of roots) {
    const top = await repositoryOf(root);
    const files = createLocalFiles([top]);
    let trusted: boolean | undefined;
    for (const folder of foldersBetween(top, root)) {
      const path = join(folder, NAME);
      const real = await realpath(path).catch(() => undefined);
      if (real === undefined || seen.has(real) || room <= 0) continue;
      seen.add(real);
      // A file that cannot be read counts as missing, because the user did not ask for it.
      const text = (await files.read(path).catch(() => "")).trim();
      if (text === "") continue;
      // The owner of a folder can replace the files in the folder.
      const owners = await Promise.all([folder, path, real, dirname(real)].map(isOwnPath));
      if (owners.includes(false)) {
        refused.push(path);
        continue;
      }
      trusted ??= await isTrusted(root);
      if (!trusted) break;
      const kept = text.slice(0, Math.min(MAX_FILE, room));
      room -= kept.length;
      texts.push(`<rules file="${path}">\n${kept}${kept.length < text.length ? "\n[cut off]" : ""}\n</rules>`);
    }
  }
  const head =
    "What the project says to agents. Of rules that contradict each other the one of the inner folder counts, then the " +
    "one that comes first.";
  return { text: texts.length === 0 ? "" : [head, ...texts].join("\n\n"), refused };
}

/**
 * Returns the root of the nearest repository at or above `root`. Returns `root` if there is none.
 *
 * The search ends at the home folder and at folders of other users.
 */
async function repositoryOf(root: string): Promise<string> {
  const home = homedir();
  let folder = root;
  for (let depth = 0; depth < MAX_DEPTH; depth += 1) {
    const isRepository = existsSync(join(folder, ".git"));
    if (isRepository) return (await isOwnPath(join(folder, ".git"))) ? folder : root;
    const parent = dirname(folder);
    if (parent === folder || folder === home || !(await isOwnPath(parent))) return root;
    folder = parent;
  }
  return root;
}

function foldersBetween(top: string, root: string): readonly string[] {
  const steps = relative(top, root).split(/[\\/]/).filter(Boolean);
  return [top, ...steps.map((_, index) => join(top, ...steps.slice(0, index + 1)))];
}
