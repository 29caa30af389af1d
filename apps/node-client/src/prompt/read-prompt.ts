import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import { UsageError } from "../exit-code.js";
import { checkAttachments, findAttachment } from "./attachment.js";
import { type PromptDraft, readDraft } from "./prompt-draft.js";
import { type InputStream, readAddition, readInput } from "./standard-input.js";

export type PromptSource = {
  /** Words of the command line. `-` is standard input. */
  readonly words: readonly string[];
  /** Value of `--prompt`. */
  readonly prompt?: string;
  /** Files of `--file`. Paths are relative to `here`. */
  readonly files: readonly string[];
  /** Directory of the user. */
  readonly here: string;
  /** Directory of the session. Mentions in the prompt are relative to it. */
  readonly directory: string;
  readonly stdin: InputStream;
  readonly note: (text: string) => void;
  /** `true` if the prompt may be missing. Otherwise a missing prompt is an error. */
  readonly mayBeEmpty?: boolean;
};

/** Word for standard input. */
const STDIN = "-";

/**
 * Reads the prompt of the command line, and standard input if it belongs to the prompt. Files that the prompt mentions
 * by `@path` are attached. Standard input is text without mentions, because other people may have written it. Returns
 * `undefined` if there is no prompt and `mayBeEmpty` is `true`.
 *
 * @throws UsageError if a file or a required prompt is missing
 */
export async function readPrompt(source: PromptSource): Promise<PromptDraft | undefined> {
  const { words, prompt, files, here, directory, stdin, note, mayBeEmpty = false } = source;
  const typed = prompt ?? words.filter((word) => word !== STDIN).join(" ");
  if (prompt === undefined) await checkOldFile(typed, here);
  const draft = await readDraft(typed, directory);
  const chosen = await Promise.all(files.map((file) => findAttachment(resolve(here, file))));
  const attachments = [...draft.attachments, ...chosen];
  checkAttachments(attachments);
  const hasPrompt = typed.trim() !== "" || attachments.length > 0;
  const mayLackInput = (hasPrompt || mayBeEmpty) && !words.includes(STDIN);
  const input = await (mayLackInput ? readAddition(stdin, note) : requiredInput(source));
  if (!hasPrompt && input === "") return undefined;
  const isReview = input === "" && attachments.length > 0 && isOnlyMentions(typed);
  const own = isReview ? review(attachments.map(({ name }) => name)) : draft.text;
  // Both texts are one block, because two text blocks of a message would be shown without a gap.
  return { text: [own, input].filter(Boolean).join("\n\n"), attachments };
}

/**
 * Refuses one word that is the name of a file. Earlier versions attached a file with such a name.
 *
 * @throws UsageError
 */
async function checkOldFile(word: string, here: string): Promise<void> {
  if (word === "" || /\s|^@/.test(word)) return;
  const isFile = await stat(resolve(here, word))
    .then((found) => found.isFile())
    .catch(() => false);
  if (!isFile) return;
  throw new UsageError(
    `${word} is a file, not a prompt. To have it reviewed: turnkit @${word}. To send the word: turnkit -p ${word}`,
  );
}

/** Returns `true` for an empty text, and for a text of mentions without other words. */
function isOnlyMentions(text: string): boolean {
  return text
    .trim()
    .split(/\s+/)
    .every((word) => word === "" || word.startsWith("@"));
}

function review(files: readonly string[]): string {
  // Without quotes, "my file.ts" would look like a mention of "file.ts".
  const names = files.map((name) => (/\s/.test(name) ? `"${name}"` : name));
  const last = names.at(-1);
  return names.length < 2 ? `Review ${last}.` : `Review ${names.slice(0, -1).join(", ")} and ${last}.`;
}

async function requiredInput({ words, stdin, note }: PromptSource): Promise<string> {
  if (stdin.isTTY === true) {
    if (words.includes(STDIN))
      throw new UsageError("- means standard input, but standard input is a terminal. Pipe a text into turnkit.");
    throw new UsageError('There is no prompt. Give one, as in turnkit "Why is the build slow?", or pipe one in.');
  }
  const text = await readInput(stdin, note);
  if (text.trim() === "") throw new UsageError("Standard input is empty. Give a prompt.");
  return text;
}
