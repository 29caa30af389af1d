import { readdir, realpath } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { configurationFolder } from "@turnkit/node-client/user-folders";
import { isInside } from "@turnkit/transport/node";
import { foldersBetween, readSteeringFile, repositoryOf } from "../rules/steering-file.js";
import { askOnce } from "../trust.js";
import { type OwnCommand, toOwnCommand } from "./own-command.js";

/** Folders of a project with commands or skills, in the forms of Claude Code and opencode. */
const COMMANDS = [".claude/commands", ".opencode/commands", ".opencode/command"];
const SKILLS = [".claude/skills", ".opencode/skills", ".opencode/skill", ".agents/skills"];

/**
 * Bounds: commands and skills of all folders, folders that are searched for commands, entries of one folder, levels of
 * folders, and characters of a file.
 */
const MAX_FOUND = 200;
const MAX_FOLDERS = 200;
const MAX_ENTRIES = 500;
const MAX_LEVELS = 3;
const MAX_LENGTH = 64_000;

/** Names that a client can offer, and a user can type. */
const NAME = /^[\p{L}\p{N}][\p{L}\p{N}_.:-]*(?:\/[\p{L}\p{N}][\p{L}\p{N}_.:-]*)*$/u;

/** Commands and skills. `refused` contains the files that are not used, because another user could have written them. */
export type FoundCommands = { readonly commands: readonly OwnCommand[]; readonly refused: readonly string[] };

type SearchOptions = {
  /** Returns `true` if the folder is trusted. It is called only for a folder with commands or skills. */
  readonly isTrusted: (root: string) => Promise<boolean>;
  readonly userFolders?: readonly UserFolder[];
};

type UserFolder = { readonly commands: readonly string[]; readonly skills: readonly string[] };

/**
 * Reads the commands and skills of the user, and of the session's projects from the root of the repository down. If
 * several commands have the same name, the command of the user is used, or else that of the innermost folder.
 */
export async function findCommands(
  roots: readonly string[],
  { isTrusted, userFolders = foldersOfUser() }: SearchOptions,
): Promise<FoundCommands> {
  const found = new Map<string, OwnCommand>();
  const refused: string[] = [];
  const add = async (file: string, top: string | undefined, name: string, folder?: string) => {
    const read =
      found.size < MAX_FOUND && NAME.test(name) && name.length <= 64 ? await readSteeringFile(file, top) : undefined;
    if (read?.isRefused) refused.push(file);
    else if (read && read.text.length <= MAX_LENGTH && !found.has(name)) {
      // Most sessions have no such file, and then need no parser.
      const { readMarkdown } = await import("./frontmatter.js");
      const place = folder === undefined ? {} : await placeOf(folder, top);
      if (place !== undefined) found.set(name, toOwnCommand(name, readMarkdown(read.text), place));
    }
  };
  const addFolders = async (
    { commands, skills }: UserFolder,
    top: string | undefined,
    mayUse: () => Promise<boolean>,
  ) => {
    for (const folder of commands) {
      for (const name of await markdownIn(folder)) if (await mayUse()) await add(join(folder, `${name}.md`), top, name);
    }
    for (const folder of skills) {
      for (const name of await entriesOf(folder, (entry) => !entry.isFile())) {
        const file = join(folder, name, "SKILL.md");
        if (await mayUse()) await add(file, top, name, dirname(file));
      }
    }
  };
  for (const folder of userFolders) await addFolders(folder, undefined, async () => true);
  for (const root of roots) {
    const top = await repositoryOf(root);
    const mayUse = askOnce(() => isTrusted(root));
    for (const base of foldersBetween(top, root).toReversed()) {
      const at = (names: readonly string[]) => names.map((name) => join(base, name));
      await addFolders({ commands: at(COMMANDS), skills: at(SKILLS) }, top, mayUse);
    }
  }
  return { commands: [...found.values()], refused };
}

/** Returns the paths of the folder of a skill. Returns `undefined` if the folder is not in `top`. */
async function placeOf(folder: string, top: string | undefined) {
  const [realFolder, realTop] = await Promise.all([folder, top ?? folder].map((one) => realpath(one).catch(() => "")));
  if (!realFolder || !realTop || !isInside(realFolder, [realTop])) return undefined;
  return { folder, realFolder };
}

/**
 * Returns the names of the Markdown files below a folder, such as `team/review`. The search goes level by level, because
 * a folder that nobody trusts may contain very many folders.
 */
async function markdownIn(folder: string): Promise<readonly string[]> {
  const names: string[] = [];
  let level = [""];
  let left = MAX_FOLDERS;
  for (let depth = 1; depth <= MAX_LEVELS && level.length > 0; depth += 1) {
    const below: string[] = [];
    for (const inner of level.slice(0, left)) {
      const files = await entriesOf(join(folder, inner), (entry) => entry.name.endsWith(".md") && !entry.isDirectory());
      names.push(...files.map((name) => `${inner}${name.slice(0, -".md".length)}`));
      const folders = await entriesOf(join(folder, inner), (entry) => entry.isDirectory());
      below.push(...folders.map((name) => `${inner}${name}/`));
    }
    left -= level.length;
    level = left > 0 ? below : [];
  }
  return names.slice(0, MAX_ENTRIES);
}

type Entry = { readonly name: string; isFile(): boolean; isDirectory(): boolean };

async function entriesOf(folder: string, isWanted: (entry: Entry) => boolean): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  return entries
    .slice(0, MAX_ENTRIES)
    .filter(isWanted)
    .map(({ name }) => name)
    .sort();
}

/** Returns the user's folders of this agent, of Claude Code, and of opencode. */
function foldersOfUser(): readonly UserFolder[] {
  const own = configurationFolder();
  const claude = join(homedir(), ".claude");
  const opencode = join(dirname(own), "opencode");
  return [
    { commands: [join(own, "commands")], skills: [join(own, "skills")] },
    { commands: [join(claude, "commands")], skills: [join(claude, "skills")] },
    {
      commands: ["commands", "command"].map((name) => join(opencode, name)),
      skills: ["skills", "skill"].map((name) => join(opencode, name)),
    },
  ];
}
