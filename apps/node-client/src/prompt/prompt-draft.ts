import { readdir, stat } from "node:fs/promises";
import { homedir } from "node:os";
import { basename, dirname, extname, join, resolve } from "node:path";
import { findMentions, type Mention, withoutEscapes } from "@turnkit/web/mentions";
import { closestWords } from "../closest-words.js";
import { UsageError } from "../exit-code.js";
import { type Attachment, checkAttachments, findAttachment } from "./attachment.js";

/** Prompt before the agent's capabilities are known: its text and its files. */
export type PromptDraft = { readonly text: string; readonly attachments: readonly Attachment[] };

/** Maximum number of names in a folder that are compared with a misspelled name. */
const MAX_NAMES = 5000;

/**
 * Reads a prompt that a person has typed. Mentions such as `@src/a.ts` attach files and folders. Their paths are
 * relative to `directory`, which is the directory of the session. The text keeps the mentions.
 *
 * @throws UsageError for a mention that must be a file, if this file does not exist
 */
export async function readDraft(text: string, directory: string): Promise<PromptDraft> {
  const attachments = new Map<string, Attachment>();
  for (const mention of findMentions(text)) {
    const path = await existing(mention.paths, directory);
    if (path !== undefined) attachments.set(path, await findAttachment(path, directory));
    else if (await isSurelyPath(mention, directory)) throw await noFile(mention, directory);
  }
  const draft = { text: withoutEscapes(text), attachments: [...attachments.values()] };
  checkAttachments(draft.attachments);
  return draft;
}

async function existing(paths: readonly string[], directory: string): Promise<string | undefined> {
  for (const path of paths) {
    const absolute = resolved(path, directory);
    // A path with a slash at its end resolves to the same path without it.
    if (await exists(absolute)) return absolute;
  }
  return undefined;
}

function resolved(path: string, directory: string): string {
  return /^~[\\/]/.test(path) ? join(homedir(), path.slice(2)) : resolve(directory, path);
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    (error: NodeJS.ErrnoException) => error.code === "EACCES",
  );
}

/** Returns `true` for a mention that must be a file, because it cannot be a person, a decorator or a package. */
async function isSurelyPath({ paths: [path = ""], isQuoted }: Mention, directory: string): Promise<boolean> {
  if (isQuoted || /^(?:\.{1,2}|~)?[\\/]/.test(path)) return true;
  const [first = "", ...rest] = path.split(/[\\/]/);
  if (rest.length > 0 && (await exists(join(directory, first)))) return true;
  return /^\.[a-z0-9]{1,10}$/i.test(extname(shortest(path)));
}

/** Returns the path without punctuation at its end. */
function shortest(path: string): string {
  return /^[^\s()[\]{}"'`,;!?]*/.exec(path)?.[0].replace(/[.:]$/, "") ?? "";
}

async function noFile({ typed, paths }: Mention, directory: string): Promise<UsageError> {
  const path = paths.at(-1) ?? "";
  const folder = dirname(resolved(path, directory));
  const names = await readdir(folder).catch(() => []);
  const near = closestWords(basename(path), names.slice(0, MAX_NAMES));
  const hint = near.length > 0 ? ` Is it ${near.join(" or ")}?` : "";
  return new UsageError(`There is no file ${path} for ${typed}.${hint} To send these characters as text: \\${typed}`);
}
