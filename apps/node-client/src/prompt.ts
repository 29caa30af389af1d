import { readFile, stat } from "node:fs/promises";
import { basename, resolve } from "node:path";
import type { Readable } from "node:stream";
import { fileURLToPath, pathToFileURL } from "node:url";
import type { ContentBlock, ResourceLink } from "@turnkit/session";
import { UsageError } from "./exit-code.js";

/** Sources of a prompt. Paths are relative to the user's directory. */
export type PromptSource = {
  readonly prompt?: string;
  /**
   * Files of the prompt. `-` is standard input. If there is also a prompt, the input follows it; otherwise the input is
   * the prompt.
   */
  readonly files: readonly string[];
  readonly directory: string;
  readonly stdin: Readable & { readonly isTTY?: boolean };
  /** `true` if the prompt may be missing. Otherwise a missing prompt is an error. */
  readonly mayBeEmpty?: boolean;
};

/** Name of standard input in a list of files. */
const STDIN = "-";
/** Maximum length of a prompt from standard input, in characters. */
const MAX_PIPED = 8 * 1024 * 1024;

/**
 * Creates the content blocks of a prompt: the text, followed by a link for each file. Every agent accepts text and
 * links. Returns `undefined` if there is no prompt and `mayBeEmpty` is `true`.
 *
 * @throws UsageError if a file or a required prompt is missing
 */
export async function readPrompt(
  source: PromptSource & { readonly mayBeEmpty: boolean },
): Promise<readonly ContentBlock[] | undefined>;
export async function readPrompt(source: PromptSource): Promise<readonly ContentBlock[]>;
export async function readPrompt(source: PromptSource): Promise<readonly ContentBlock[] | undefined> {
  const { prompt, files, directory, stdin } = source;
  const names = files.filter((file) => file !== STDIN);
  const links = await Promise.all(names.map((file) => linkTo(resolve(directory, file))));
  const input = names.length < files.length ? await piped({ stdin, isNamed: true }) : undefined;
  const text = prompt ?? input ?? (links.length > 0 ? review(links.map(({ name }) => name)) : await piped(source));
  if (text === undefined) return undefined;
  // Both texts are one block, because two text blocks of a message would be shown without a gap.
  const whole = prompt === undefined || input === undefined ? text : `${prompt}\n\n${input}`;
  return [{ type: "text", text: whole }, ...links];
}

async function linkTo(path: string) {
  const found = await stat(path).catch(() => undefined);
  if (found === undefined) throw new UsageError(`There is no file ${path}.`);
  return { type: "resource_link", uri: pathToFileURL(path).href, name: basename(path) } as const;
}

function review(files: readonly string[]): string {
  // Without quotes, "my file.ts" would look like a mention of "file.ts".
  const names = files.map((name) => (/\s/.test(name) ? `"${name}"` : name));
  const last = names.at(-1);
  return names.length < 2 ? `Review ${last}.` : `Review ${names.slice(0, -1).join(", ")} and ${last}.`;
}

type Piped = Pick<PromptSource, "stdin" | "mayBeEmpty"> & { readonly isNamed?: boolean };

async function piped({ stdin, mayBeEmpty = false, isNamed = false }: Piped): Promise<string | undefined> {
  if (stdin.isTTY === true) {
    if (isNamed)
      throw new UsageError("- means standard input, but standard input is a terminal. Pipe a prompt into turnkit.");
    if (mayBeEmpty) return undefined;
    throw new UsageError("There is no prompt. Give --prompt TEXT or a FILE, or pipe a prompt into turnkit.");
  }
  let text = "";
  stdin.setEncoding("utf8");
  for await (const chunk of stdin) {
    text += chunk;
    if (text.length > MAX_PIPED) throw new UsageError("The text on standard input is longer than 8 Mi characters.");
  }
  if (text.trim() !== "") return text.trimEnd();
  if (mayBeEmpty) return undefined;
  throw new UsageError("Standard input is empty.");
}

/** Maximum size of an embedded file in bytes. A larger file would fill the context of the model. */
const MAX_EMBEDDED = 256 * 1024;

/**
 * Replaces links with the content of their files, for an agent that accepts embedded resources. Links to files that are
 * too large or not text are unchanged.
 */
export function embedFiles(prompt: readonly ContentBlock[]): Promise<readonly ContentBlock[]> {
  return Promise.all(prompt.map((block) => (block.type === "resource_link" ? embedded(block) : block)));
}

async function embedded(link: ResourceLink): Promise<ContentBlock> {
  const text = await textOf(link.uri).catch(() => undefined);
  return text === undefined ? link : { type: "resource", resource: { uri: link.uri, text } };
}

async function textOf(uri: string): Promise<string | undefined> {
  const path = fileURLToPath(uri);
  const found = await stat(path);
  if (!found.isFile() || found.size > MAX_EMBEDDED) return undefined;
  const bytes = await readFile(path);
  if (bytes.includes(0)) return undefined;
  return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
}
