import { readFile, stat } from "node:fs/promises";
import { basename, resolve } from "node:path";
import type { Readable } from "node:stream";
import { fileURLToPath, pathToFileURL } from "node:url";
import type { ContentBlock, ResourceLink } from "@turnkit/session";
import { UsageError } from "./exit-code.js";

/** Sources of a prompt; paths are relative to the user's directory. */
export type PromptSource = {
  readonly prompt?: string;
  /** Files of the prompt. `-` is standard input: the prompt itself, or its subject if there is a prompt. */
  readonly files: readonly string[];
  readonly directory: string;
  readonly stdin: Readable & { readonly isTTY?: boolean };
  /** `true` if there may be no prompt; else that is a mistake. */
  readonly mayBeEmpty?: boolean;
};

/** Name of standard input in a list of files. */
const STDIN = "-";
/** Maximum length of a prompt from standard input, in characters. */
const MAX_PIPED = 8 * 1024 * 1024;

/**
 * Makes the blocks of a prompt: the text, then a link for each file. Every agent accepts both kinds. Returns
 * `undefined` if there is no prompt and there may be none.
 *
 * @throws UsageError if a file is missing or there is no prompt
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
  // One block: two text blocks of a message would be drawn without a gap.
  const whole = prompt === undefined || input === undefined ? text : `${prompt}\n\n${input}`;
  return [{ type: "text", text: whole }, ...links];
}

async function linkTo(path: string) {
  const found = await stat(path).catch(() => undefined);
  if (found === undefined) throw new UsageError(`There is no file ${path}.`);
  return { type: "resource_link", uri: pathToFileURL(path).href, name: basename(path) } as const;
}

function review(files: readonly string[]): string {
  // Without quotes "my file.ts" reads like a mention of "file.ts".
  const names = files.map((name) => (/\s/.test(name) ? `"${name}"` : name));
  const last = names.at(-1);
  return names.length < 2 ? `Review ${last}.` : `Review ${names.slice(0, -1).join(", ")} and ${last}.`;
}

type Piped = Pick<PromptSource, "stdin" | "mayBeEmpty"> & { readonly isNamed?: boolean };

async function piped({ stdin, mayBeEmpty = false, isNamed = false }: Piped): Promise<string | undefined> {
  if (stdin.isTTY === true) {
    if (isNamed) throw new UsageError("- is standard input, and that is a terminal: pipe something in.");
    if (mayBeEmpty) return undefined;
    throw new UsageError("There is nothing to ask: give --prompt TEXT or a FILE, or pipe a prompt in.");
  }
  let text = "";
  stdin.setEncoding("utf8");
  for await (const chunk of stdin) {
    text += chunk;
    if (text.length > MAX_PIPED) throw new UsageError("What is on standard input is larger than 8 MiB.");
  }
  if (text.trim() !== "") return text.trimEnd();
  if (mayBeEmpty) return undefined;
  throw new UsageError("There is nothing on standard input.");
}

/** Maximum size of an embedded file in bytes; larger ones would fill the context of the model. */
const MAX_EMBEDDED = 256 * 1024;

/**
 * Embeds linked files, for an agent that accepts embedded resources. Files that are too large or no text stay links.
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
