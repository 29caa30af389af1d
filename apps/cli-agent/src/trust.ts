import { createHash } from "node:crypto";
import { realpath, stat } from "node:fs/promises";
import type { PermissionOption, ToolCallStart, Turn } from "@turnkit/agent";
import { replaceFile } from "@turnkit/node-client/replace-file";
import { readOwnFile } from "./config/own-file.js";
import { fence } from "./markdown.js";
import { listOf, membersOf } from "./members.js";

/** Largest number of folders, and of files, in the list. Beyond this number, the oldest entry is dropped. */
const MAX_LISTED = 1_000;

const options = (once: string, always: string, never: string): readonly PermissionOption[] => [
  { optionId: "allow_once", kind: "allow_once", name: once },
  { optionId: "allow_always", kind: "allow_always", name: always },
  { optionId: "reject_once", kind: "reject_once", name: never },
];

const folderOptions = options(
  "Trust this folder in this session",
  "Trust this folder from now on",
  "Use nothing of this folder by itself: no rules, no MCP servers",
);

const fileOptions = options("Use it in this session", "Use it until it changes", "Do not use it");

type AskingTurn = Pick<Turn<unknown>, "toolCall">;

type Asked = Pick<ToolCallStart, "title" | "content"> & {
  readonly turn: AskingTurn;
  readonly options: readonly PermissionOption[];
};

/** Returns a function that asks about the trust in one folder at its first call, and returns that answer afterwards. */
export function askOnce(isTrusted: () => Promise<boolean>): () => Promise<boolean> {
  let answer: Promise<boolean> | undefined;
  return () => {
    answer ??= isTrusted();
    return answer;
  };
}

export type Trust = ReturnType<typeof createTrust>;

/**
 * Creates the check of trusted folders and files for one session. The user is asked once for each folder or file that
 * is not in the list.
 *
 * @param file file with the real path and owner of each trusted folder, and the content of each trusted file as a hash
 * @param always `true` trusts every folder and file
 */
export function createTrust(file: string, always: boolean) {
  const answers = new Map<string, boolean>();
  const knows = async (list: keyof Lists, key: string) => always || (await readLists(file))[list].includes(key);
  const covers = async (list: keyof Lists, key: string, { turn, options, ...question }: Asked): Promise<boolean> => {
    const answered = answers.get(key);
    if (answered !== undefined) return answered;
    if (await knows(list, key)) return true;
    const call = turn.toolCall({ ...question, kind: "other" });
    const { allowed, option } = await call.requestPermission({ options });
    await call.finish({ status: allowed ? "completed" : "cancelled" });
    answers.set(key, allowed);
    if (option?.kind === "allow_always") {
      const lists = await readLists(file);
      const kept = { ...lists, [list]: [...lists[list].filter((one) => one !== key), key].slice(-MAX_LISTED) };
      await replaceFile(file, `${JSON.stringify(kept, null, 2)}\n`);
    }
    return allowed;
  };
  return {
    /** Returns `true` if the user has trusted the folder before, even for this session only. Does not ask the user. */
    async knows(folder: string): Promise<boolean> {
      if (always) return true;
      const key = await keyOf(folder);
      return answers.get(key) ?? knows("folders", key);
    },
    /**
     * Returns `true` if the user trusts the folder. Asks the user if the answer is not known.
     *
     * @throws ConfigError for a list that belongs to another user or is writable for everyone
     */
    async covers(folder: string, turn: AskingTurn): Promise<boolean> {
      if (always) return true;
      return covers("folders", await keyOf(folder), {
        ...{ turn, options: folderOptions },
        title: `Trust ${folder}? Its rules, commands and skills for agents, MCP servers in it and its programs are used then.`,
      });
    },
    /**
     * Returns `true` if the user trusts this content of a file. The question shows the whole content.
     *
     * @throws ConfigError as {@link covers}
     */
    async coversFile(path: string, content: string, turn: AskingTurn): Promise<boolean> {
      if (always) return true;
      // A changed file needs a new answer.
      const key = `${await keyOf(path)} ${createHash("sha256").update(content).digest("hex")}`;
      return covers("files", key, {
        ...{ turn, options: fileOptions },
        title: `Use ${path}? It starts the programs, and gives and takes the permissions, that it shows.`,
        content: [{ type: "content", content: { type: "text", text: fence(content, "json") } }],
      });
    },
  };
}

/** Returns the owner and the real path. The owner is included, because another user may have replaced the folder. */
async function keyOf(folder: string): Promise<string> {
  const real = await realpath(folder);
  return `${(await stat(real)).uid} ${real}`;
}

type Lists = { readonly folders: readonly string[]; readonly files: readonly string[] };

async function readLists(file: string): Promise<Lists> {
  const text = await readOwnFile(file);
  const textsOf = (value: unknown) => listOf(value).filter((one) => typeof one === "string");
  try {
    const { folders, files } = membersOf(JSON.parse(text ?? "{}"));
    return { folders: textsOf(folders), files: textsOf(files) };
  } catch {
    // If the list is damaged, nothing is trusted. The next answer replaces the list.
    return { folders: [], files: [] };
  }
}
