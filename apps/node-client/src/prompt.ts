import { readFile, stat } from "node:fs/promises";
import { basename, resolve } from "node:path";
import type { Readable } from "node:stream";
import { fileURLToPath, pathToFileURL } from "node:url";
import type { ContentBlock, ResourceLink } from "@turnkit/session";
import { UsageError } from "./exit-code.js";

/** Where a prompt may come from; paths are relative to the directory that the user typed them in. */
export type PromptSource = {
  readonly prompt?: string;
  /** `-` among them is standard input: the prompt, or where there is one already, what it is about. */
  readonly files: readonly string[];
  readonly directory: string;
  readonly stdin: Readable & { readonly isTTY?: boolean };
  /** Whether there may be nothing to ask; else that is a mistake. */
  readonly mayBeEmpty?: boolean;
};

/** What stands for standard input where files are named. */
const STDIN = "-";
/** A prompt that is read from standard input may not be larger than this, in characters. */
const MAX_PIPED = 8 * 1024 * 1024;

/**
 * Makes the blocks of a prompt: the text, then a link per file. Every agent accepts these two kinds of block, so nothing
 * has to be negotiated; the agent reads the files itself, or through the client. `undefined` where there is nothing to
 * ask, and there may be.
 *
 * @throws UsageError if a file is missing or there is nothing to ask.
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
  // One block: where the texts of a message are drawn, nothing parts two of them.
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

/** Larger files stay links, in bytes: what is embedded fills the context of the model. */
const MAX_EMBEDDED = 256 * 1024;

/**
 * The blocks of a prompt for an agent that takes embedded resources: links to files become the files' text. What is too
 * large, or is no text, stays a link.
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
