import { existsSync } from "node:fs";
import { realpath } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, join, relative } from "node:path";
import { createLocalFiles } from "@turnkit/agent/node";
import { isOwnPath } from "./config/own-file.js";

const NAME = "AGENTS.md";

/** Bounds in characters: of one file, and of all together. */
const MAX_FILE = 32_000;
const MAX_TOTAL = 96_000;

/** Number of parent folders in which a repository is searched. */
const MAX_DEPTH = 64;

/** Rules of a session's projects. `refused` are files that are not used, since another user could have written them. */
export type ProjectRules = { readonly text: string; readonly refused: readonly string[] };

/**
 * Reads the rules of a session's projects: every `AGENTS.md` from the root of the repository down to the session's
 * folder, then the same for each further folder.
 *
 * - Files behind links that leave the repository are not read.
 * - Files and folders of other users, or that others may write, give no rules.
 * - Folders of another machine have no rules.
 *
 * @param roots the session's folder first
 * @param isTrusted asked once for each root that has rules
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
      // An unreadable file counts as missing: the user did not ask for it.
      const text = (await files.read(path).catch(() => "")).trim();
      if (text === "") continue;
      // Who owns a folder can exchange what is in it.
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
 * Returns the nearest repository at or above `root`, not above the home folder and not in folders of other users;
 * otherwise `root`.
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
