import type { FileHandle } from "node:fs/promises";
import { dirname } from "node:path";
import { pathToFileURL } from "node:url";
import type { ContentBlock } from "@turnkit/session";
import { openRooted } from "@turnkit/transport/node";
import type { Attachment } from "./attachment.js";
import type { PromptDraft } from "./prompt-draft.js";

/** Agent that gets a prompt, and a listener for sentences to the user. */
export type PromptReader = {
  readonly agent: string;
  /** Types of content that the agent accepts. */
  readonly capabilities: { readonly image: boolean; readonly audio: boolean; readonly embeddedContext: boolean };
  readonly note: (text: string) => void;
};

/**
 * Maximum size of an embedded text, and of all embedded texts together, in bytes. Larger texts would fill the context
 * of the model.
 */
const MAX_TEXT = 256 * 1024;
const MAX_ALL_TEXT = 1024 * 1024;

/**
 * Returns the content of a prompt: its text, then a block for each file. A file that the agent does not accept as
 * content becomes a link, which every agent accepts:
 *
 * - text of at most 256 KiB becomes a resource, until there is 1 MiB of text;
 * - a picture or an audio file becomes a block of its type;
 * - folders and other files become links.
 */
export async function promptBlocks(draft: PromptDraft, reader: PromptReader): Promise<readonly ContentBlock[]> {
  const blocks: ContentBlock[] = [{ type: "text", text: draft.text }];
  let left = MAX_ALL_TEXT;
  for (const attachment of draft.attachments) {
    if (attachment.notice !== undefined) reader.note(attachment.notice);
    const block = attachment.media
      ? await mediaBlock(attachment, reader)
      : reader.capabilities.embeddedContext && (await textBlock(attachment, Math.min(left, MAX_TEXT)));
    if (block && block.type === "resource" && "text" in block.resource) left -= Buffer.byteLength(block.resource.text);
    const sent = block ? "its text" : "only a link to it";
    if (attachment.place !== undefined) reader.note(`${attachment.place} The agent gets ${sent}.`);
    blocks.push(block || linkTo(attachment));
  }
  return blocks;
}

function linkTo({ path, name, media }: Attachment): ContentBlock {
  return { type: "resource_link", uri: pathToFileURL(path).href, name, ...(media && { mimeType: media.mimeType }) };
}

/** Returns a sentence for the user if the agent does not accept a file of this kind. */
export function refusalOf(
  kind: "image" | "audio",
  name: string,
  { agent, capabilities }: Omit<PromptReader, "note">,
): string | undefined {
  if (capabilities[kind]) return undefined;
  return `${agent} accepts no ${kind === "image" ? "pictures" : "audio"}: it gets a link to ${name}.`;
}

async function mediaBlock(attachment: Attachment, reader: PromptReader): Promise<ContentBlock | undefined> {
  const { path, name, media, size } = attachment;
  if (media === undefined) return undefined;
  const { kind, mimeType } = media;
  const refusal = refusalOf(kind, name, reader);
  if (refusal !== undefined) {
    reader.note(refusal);
    return undefined;
  }
  const bytes = await contentOf(attachment, size);
  if (bytes === undefined) {
    reader.note(`${name} has changed and could not be read: the agent gets a link to it.`);
    return undefined;
  }
  const data = bytes.toString("base64");
  return kind === "image"
    ? { type: kind, data, mimeType, uri: pathToFileURL(path).href }
    : { type: kind, data, mimeType };
}

async function textBlock(attachment: Attachment, limit: number): Promise<ContentBlock | undefined> {
  const bytes = await contentOf(attachment, limit);
  if (bytes === undefined || bytes.includes(0)) return undefined;
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    return { type: "resource", resource: { uri: pathToFileURL(attachment.path).href, text } };
  } catch {
    return undefined;
  }
}

/** Returns the bytes of a file. Returns `undefined` if it has more than `limit`, or may not be read. */
async function contentOf({ file }: Attachment, limit: number): Promise<Buffer | undefined> {
  if (file === undefined) return undefined;
  // If a link has replaced the file in the meantime, the link is not followed.
  const handle = await openRooted(file, [dirname(file)], { real: file }).catch(() => undefined);
  try {
    return handle && (await readUpTo(handle, limit));
  } catch {
    return undefined;
  } finally {
    await handle?.close();
  }
}

async function readUpTo(handle: FileHandle, limit: number): Promise<Buffer | undefined> {
  // Files of the kernel report the size 0.
  const bytes = Buffer.alloc(limit + 1);
  let length = 0;
  while (length <= limit) {
    const { bytesRead } = await handle.read(bytes, length, limit + 1 - length, null);
    if (bytesRead === 0) return bytes.subarray(0, length);
    length += bytesRead;
  }
  return undefined;
}
