import { appendFileSync, closeSync, readFileSync, writeFileSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { dirname } from "node:path";
import { openPrivateFile } from "../setup/private-file.js";
import { statePath } from "../setup/user-folders.js";

export type Recall = {
  readonly entries: readonly string[];
  /** Index of the shown prompt; `undefined` while the typed text is shown. */
  readonly at?: number;
  /** Typed text before the first step back. */
  readonly draft: string;
};

const MAX_RECALL = 500;

export function recallOf(entries: readonly string[]): Recall {
  return { entries: entries.slice(-MAX_RECALL), draft: "" };
}

/** Goes one step back. Returns `undefined` at the oldest prompt. */
export function olderPrompt(
  recall: Recall,
  current: string,
): { readonly recall: Recall; readonly text: string } | undefined {
  const at = (recall.at ?? recall.entries.length) - 1;
  const text = recall.entries[at];
  if (text === undefined) return undefined;
  return { recall: { ...recall, at, draft: recall.at === undefined ? current : recall.draft }, text };
}

/** Goes one step forward. After the newest prompt comes the typed text. Returns `undefined` if no prompt is shown. */
export function newerPrompt(recall: Recall): { readonly recall: Recall; readonly text: string } | undefined {
  if (recall.at === undefined) return undefined;
  const at = recall.at + 1;
  const text = recall.entries[at];
  return text === undefined
    ? { recall: recallOf(recall.entries), text: recall.draft }
    : { recall: { ...recall, at }, text };
}

/** Adds a prompt to the history, unless it equals the last prompt. */
export function withPrompt({ entries }: Recall, text: string): Recall {
  return recallOf(entries.at(-1) === text ? entries : [...entries, text]);
}

const MAX_ENTRY = 16 * 1024;

/** Returns the path of the history: `turnkit/history.jsonl` in `$XDG_STATE_HOME`, or in `~/.local/state`. */
export function historyPath(env: NodeJS.ProcessEnv): string {
  return statePath(env, "history.jsonl");
}

function withFile<T>(path: string, use: "read" | "append" | "replace", work: (file: number) => T): T {
  const file = openPrivateFile(path, use);
  try {
    return work(file);
  } finally {
    closeSync(file);
  }
}

/**
 * Creates a history in a file that only the user can read. Each line of the file is a prompt as a JSON string. Several
 * programs may write to the file at the same time.
 */
export function createHistoryFile(path: string) {
  let writing: Promise<unknown> = Promise.resolve();
  return {
    /** Reads the newest 500 prompts, oldest first. If the file cannot be read, the result is empty. */
    async read(): Promise<readonly string[]> {
      const text = attempt(() => withFile(path, "read", (file) => readFileSync(file, "utf8"))) ?? "";
      const lines = text.split("\n").filter((line) => line !== "");
      const kept = lines.slice(-MAX_RECALL);
      // If the file has more than 1000 lines, the older lines are removed.
      if (lines.length > 2 * MAX_RECALL) {
        attempt(() => withFile(path, "replace", (file) => writeFileSync(file, `${kept.join("\n")}\n`)));
      }
      return kept.flatMap((line) => {
        const text: unknown = attempt(() => JSON.parse(line));
        return typeof text === "string" ? [text] : [];
      });
    },
    /**
     * Adds a prompt. A prompt of more than 16 384 characters is not added. The promise never rejects, because a full
     * disk must not stop the program.
     */
    add(text: string): Promise<void> {
      if (text.length > MAX_ENTRY) return Promise.resolve();
      const write = async () => {
        await mkdir(dirname(path), { recursive: true, mode: 0o700 });
        withFile(path, "append", (file) => appendFileSync(file, `${JSON.stringify(text)}\n`));
      };
      const written = writing.then(write).catch(() => undefined);
      writing = written;
      return written;
    },
  };
}

/** Returns the result of `work`, or `undefined` if `work` throws. */
function attempt<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}
