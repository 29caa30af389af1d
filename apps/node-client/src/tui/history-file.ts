import { appendFile, mkdir, readFile, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, isAbsolute, join } from "node:path";
import { MAX_RECALL } from "./model/recall.js";

/** What was asked before, on the disk; several programs may write at once. */
export interface HistoryFile {
  /** Oldest first, 500 at most. A file that cannot be read is an empty one. */
  read(): Promise<readonly string[]>;
  /** Adds one. Longer ones than 16 Ki characters are not kept. Never rejects: a full disk must not stop anybody. */
  add(text: string): Promise<void>;
}

const MAX_ENTRY = 16 * 1024;

/** Where the history lies: `$XDG_STATE_HOME`, else `~/.local/state`, and `turnkit/history.jsonl`. */
export function historyPath(env: NodeJS.ProcessEnv): string {
  const given = env.XDG_STATE_HOME;
  const state = given !== undefined && isAbsolute(given) ? given : join(env.HOME || homedir(), ".local", "state");
  return join(state, "turnkit", "history.jsonl");
}

/** A history in a file that only the user can read: one JSON text a line. */
export function createHistoryFile(path: string): HistoryFile {
  let writing: Promise<unknown> = Promise.resolve();
  return {
    async read() {
      const text = await readFile(path, "utf8").catch(() => "");
      const lines = text.split("\n").filter((line) => line !== "");
      const kept = lines.slice(-MAX_RECALL);
      // Now and then what is not read any more goes.
      if (lines.length > 2 * MAX_RECALL) {
        await writeFile(path, `${kept.join("\n")}\n`, { mode: 0o600 }).catch(() => undefined);
      }
      return kept.flatMap(parsed);
    },
    add(text) {
      if (text.length > MAX_ENTRY) return Promise.resolve();
      const write = async () => {
        await mkdir(dirname(path), { recursive: true, mode: 0o700 });
        await appendFile(path, `${JSON.stringify(text)}\n`, { mode: 0o600 });
      };
      const written = writing.then(write).catch(() => undefined);
      writing = written;
      return written;
    },
  };
}

function parsed(line: string): readonly string[] {
  try {
    const text: unknown = JSON.parse(line);
    return typeof text === "string" ? [text] : [];
  } catch {
    return [];
  }
}
