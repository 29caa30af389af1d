import { existsSync } from "node:fs";
import { realpath } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, join, relative } from "node:path";
import { createLocalFiles } from "@turnkit/agent/node";

/** The file in which a project says what agents should know. */
const NAME = "AGENTS.md";

/** How much of one file is read, and of all together, in characters. */
const MAX_FILE = 32_000;
const MAX_TOTAL = 96_000;

/** How far up a repository is looked for. */
const MAX_DEPTH = 64;

/**
 * What the projects of a session say to agents: every `AGENTS.md` from the root of the repository down to the session's
 * folder, then the same for each further folder. Files behind links that leave the repository are not read, and folders of
 * another machine have none.
 *
 * @param roots the session's folder first
 * @returns an empty text if there is none
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
      // What cannot be read is as good as not there: nobody asked for it.
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

/** The nearest folder at or above `root` that is a repository; `root` itself if there is none below the home folder. */
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
