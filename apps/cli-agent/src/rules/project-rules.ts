import { configurationFolder } from "@turnkit/node-client/user-folders";
import { askOnce } from "../trust.js";
import { createRuleReader, type RuleText } from "./rule-files.js";
import { foldersBetween, repositoryOf } from "./steering-file.js";

/**
 * Rules for agents. `refused` contains the files that are not used, because another user could have written them.
 */
export type ProjectRules = { readonly text: string; readonly refused: readonly string[] };

type RuleOptions = {
  /** Asks the user; called at most once for each root with rules. */
  readonly isTrusted: (root: string) => Promise<boolean>;
  /** Folder with the rules of the user for all projects. */
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
