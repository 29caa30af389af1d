import { readFile, stat } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import type { ContentBlock, ResourceLink } from "@turnkit/session";

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
