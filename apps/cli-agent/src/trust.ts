import { realpath, stat } from "node:fs/promises";
import type { PermissionOption, Turn } from "@turnkit/agent";
import { readOwnFile, writeOwnFile } from "./config/own-file.js";

/** Largest number of folders in the list. Beyond it, the oldest folder is dropped. */
const MAX_FOLDERS = 1_000;

const options: readonly PermissionOption[] = [
  { optionId: "allow_once", kind: "allow_once", name: "Trust this folder in this session" },
  { optionId: "allow_always", kind: "allow_always", name: "Trust this folder from now on" },
  {
    optionId: "reject_once",
    kind: "reject_once",
    name: "Use nothing of this folder by itself: no rules, no MCP servers",
  },
];

/**
 * Creates the check of trusted folders for one session. For a folder that is not in the list, the user is asked once.
 *
 * @param file file with the real path and owner of each trusted folder
 * @param always `true` trusts every folder
 */
export function createTrust(file: string, always: boolean) {
  const answers = new Map<string, boolean>();
  return {
    /** Returns `true` if the user has trusted the folder before. Does not ask the user. */
    async knows(folder: string): Promise<boolean> {
      return always || (await readList(file)).includes(await keyOf(folder));
    },
    /**
     * Returns `true` if the user trusts the folder. Asks the user if the answer is not known.
     *
     * @throws ConfigError for a list that belongs to another user or is writable for everyone
     */
    async covers(folder: string, turn: Pick<Turn<unknown>, "toolCall">): Promise<boolean> {
      if (always) return true;
      const key = await keyOf(folder);
      const answered = answers.get(key);
      if (answered !== undefined) return answered;
      const known = await readList(file);
      if (known.includes(key)) return true;
      const call = turn.toolCall({
        title: `Trust ${folder}? Its rules, commands and skills for agents, MCP servers in it and its programs are used then.`,
        kind: "other",
      });
      const { allowed, option } = await call.requestPermission({ options });
      answers.set(key, allowed);
      if (option?.kind === "allow_always") {
        const folders = [...(await readList(file)).filter((one) => one !== key), key].slice(-MAX_FOLDERS);
        await writeOwnFile(file, `${JSON.stringify({ folders }, null, 2)}\n`);
      }
      await call.finish();
      return allowed;
    },
  };
}

/** Returns a folder's owner and real path. The owner is included, because another user may have replaced the folder. */
async function keyOf(folder: string): Promise<string> {
  const real = await realpath(folder);
  return `${(await stat(real)).uid} ${real}`;
}

async function readList(file: string): Promise<readonly string[]> {
  const text = await readOwnFile(file);
  try {
    const { folders } = JSON.parse(text ?? "{}") as { folders?: unknown };
    return Array.isArray(folders) ? folders.filter((one) => typeof one === "string") : [];
  } catch {
    // If the list is damaged, no folder is trusted. The next answer replaces the list.
    return [];
  }
}
