import { existsSync } from "node:fs";
import { realpath } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, join, relative } from "node:path";
import { createLocalFiles } from "@turnkit/agent/node";

const NAME = "AGENTS.md";

/** Bounds in characters: of one file, and of all together. */
const MAX_FILE = 32_000;
const MAX_TOTAL = 96_000;

/** Number of parent folders in which a repository is searched. */
const MAX_DEPTH = 64;

/**
 * Reads the rules of a session's projects: every `AGENTS.md` from the root of the repository down to the session's
 * folder, then the same for each further folder.
 *
 * - Files behind links that leave the repository are not read.
 * - Folders of another machine have no rules.
 *
 * @param roots the session's folder first
 * @returns the rules, or an empty text
 */
export async function readProjectRules(roots: readonly string[]): Promise<string> {
  const seen = new Set<string>();
  const texts: string[] = [];
  let room = MAX_TOTAL;
  for (const root of roots) {
    const top = repositoryOf(root);
    const files = createLocalFiles([top]);
    for (const folder of foldersBetween(top, root)) {
      const path = join(folder, NAME);
      const real = await realpath(path).catch(() => undefined);
      if (real === undefined || seen.has(real) || room <= 0) continue;
      seen.add(real);
      // An unreadable file counts as missing: the user did not ask for it.
      const text = (await files.read(path).catch(() => "")).trim();
      if (text === "") continue;
      const kept = text.slice(0, Math.min(MAX_FILE, room));
      room -= kept.length;
      texts.push(`<rules file="${path}">\n${kept}${kept.length < text.length ? "\n[cut off]" : ""}\n</rules>`);
    }
  }
  if (texts.length === 0) return "";
  const head =
    "What the project says to agents. Of rules that contradict each other the one of the inner folder counts, then the " +
    "one that comes first.";
  return [head, ...texts].join("\n\n");
}

/** Returns the nearest repository at or above `root`, not above the home folder; otherwise `root`. */
function repositoryOf(root: string): string {
  const home = homedir();
  let folder = root;
  for (let depth = 0; depth < MAX_DEPTH; depth += 1) {
    if (existsSync(join(folder, ".git"))) return folder;
    const parent = dirname(folder);
    if (parent === folder || folder === home) return root;
    folder = parent;
  }
  return root;
}

function foldersBetween(top: string, root: string): readonly string[] {
  const steps = relative(top, root).split(/[\\/]/).filter(Boolean);
  return [top, ...steps.map((_, index) => join(top, ...steps.slice(0, index + 1)))];
}
