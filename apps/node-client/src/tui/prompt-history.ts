import { appendFile, mkdir, readFile, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, isAbsolute, join } from "node:path";

/** Going through what was asked before with the arrow keys. */
export type Recall = {
  /** Oldest first. */
  readonly entries: readonly string[];
  /** Which one is shown; `undefined` while the person's own text is. */
  readonly at?: number;
  /** What was written before the first step back. */
  readonly draft: string;
};

/** Entries that are kept at most. */
const MAX_RECALL = 500;

/** Nothing is being recalled. */
export function recallOf(entries: readonly string[]): Recall {
  return { entries: entries.slice(-MAX_RECALL), draft: "" };
}

/** One step back; `undefined` where there is nothing older. */
export function older(recall: Recall, current: string): { readonly recall: Recall; readonly text: string } | undefined {
  const at = (recall.at ?? recall.entries.length) - 1;
  const text = recall.entries[at];
  if (text === undefined) return undefined;
  return { recall: { ...recall, at, draft: recall.at === undefined ? current : recall.draft }, text };
}

/** One step forward, at the end to the text that was being written; `undefined` where nothing is being recalled. */
export function newer(recall: Recall): { readonly recall: Recall; readonly text: string } | undefined {
  if (recall.at === undefined) return undefined;
  const at = recall.at + 1;
  const text = recall.entries[at];
  return text === undefined
    ? { recall: recallOf(recall.entries), text: recall.draft }
    : { recall: { ...recall, at }, text };
}

/** With one more entry; the same one twice in a row counts once. */
export function remembered({ entries }: Recall, text: string): Recall {
  return recallOf(entries.at(-1) === text ? entries : [...entries, text]);
}

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
