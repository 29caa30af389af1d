import { join } from "node:path";
import { configurationFolder } from "@turnkit/node-client/user-folders";
import { askOnce } from "../trust.js";
import { foldersBetween, readSteeringFile, repositoryOf } from "./steering-file.js";

/**
 * Rules for agents. `refused` contains the files that are not used, because another user could have written them.
 */
export type ProjectRules = { readonly text: string; readonly refused: readonly string[] };

type RuleOptions = {
  /** Asks the user; called at most once for each root with rules. */
  readonly isTrusted: (root: string) => Promise<boolean>;
  readonly userFolder?: string;
};

/**
 * Reads the rules of the user and of a session's projects. For each folder of the session, these are the files from the
 * root of its repository down to the folder itself.
 *
 * - Links that leave the repository are not followed.
 * - A file is refused if it or its folder belongs to another user, or is writable for everyone.
 * - Folders that are on another machine have no rules.
 *
 * @param roots folders of the session, its working folder first
 */
export async function readProjectRules(
  roots: readonly string[],
  { isTrusted, userFolder = configurationFolder() }: RuleOptions,
): Promise<ProjectRules> {
  const reader = createRuleReader();
  const rules: RuleText[] = [...(await reader.read(userFolder, undefined, async () => true))];
  for (const root of roots) {
    const top = await repositoryOf(root);
    const isRootTrusted = askOnce(() => isTrusted(root));
    for (const folder of foldersBetween(top, root)) rules.push(...(await reader.read(folder, top, isRootTrusted)));
  }
  const head =
    "What the user and the project say to agents. Of rules that contradict each other the one of the inner folder counts, " +
    "then the one that comes first. Rules of all projects come before those of this project, and count least.";
  const { refused } = reader;
  return { text: rules.length === 0 ? "" : [head, ...rules.map(({ text }) => text)].join("\n\n"), refused };
}

/** Names of files with rules for agents, in the order in which the model reads them. */
const NAMES = ["AGENTS.md", "CLAUDE.md", join(".claude", "CLAUDE.md")];

/** Largest length in characters: `MAX_FILE` for one file, `MAX_TOTAL` for all files together. */
const MAX_FILE = 32_000;
const MAX_TOTAL = 96_000;

type RuleText = { readonly path: string; readonly text: string };

/**
 * Creates a reader of the rules of several folders. It returns each file only once. Of several files with the same
 * text, it returns only the first. `refused` contains the files that are not used, because another user could have
 * written them.
 */
export function createRuleReader() {
  const seen = new Set<string>();
  const refused: string[] = [];
  let room = MAX_TOTAL;
  return {
    refused,
    /**
     * Returns the rules of a folder as texts for the model.
     *
     * @param top folder that contains the targets of all links; absent for a folder of the user
     * @param isTrusted called if there are rules; without trust, none are returned
     */
    async read(
      folder: string,
      top: string | undefined,
      isTrusted: () => Promise<boolean>,
    ): Promise<readonly RuleText[]> {
      const rules: RuleText[] = [];
      for (const name of NAMES) {
        const path = join(folder, name);
        const file = room > 0 ? await readSteeringFile(path, top) : undefined;
        if (file === undefined || seen.has(file.real)) continue;
        seen.add(file.real);
        if (file.isRefused) {
          refused.push(path);
          continue;
        }
        const { text } = file;
        if (seen.has(`${folder}\0${text}`)) continue;
        seen.add(`${folder}\0${text}`);
        if (!(await isTrusted())) return [];
        const kept = text.slice(0, Math.min(MAX_FILE, room));
        room -= kept.length;
        rules.push({
          path,
          text: `${openingOf(path)}\n${kept}${kept.length < text.length ? "\n[cut off]" : ""}\n</rules>`,
        });
      }
      return rules;
    },
  };
}

/** Returns the first line of the rules of a file, as the model reads them. */
export const openingOf = (path: string): string => `<rules file="${path}">`;
