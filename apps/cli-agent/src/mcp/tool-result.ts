import type { CallToolResult } from "@modelcontextprotocol/client";
import type { ContentBlock, ToolCallContent } from "@turnkit/agent";

/** Bounds of a result: characters for the model, and characters of its JSON for the user. */
const MAX_MODEL_LENGTH = 100_000;
const MAX_SHOWN_LENGTH = 2 * 1024 * 1024;

/** Result of a server's tool, for the user and for the model. */
export type ShownResult = { readonly content: readonly ToolCallContent[]; readonly text: string };

/** Converts a result. Blocks of unknown types are dropped. Long results are cut, with a note. */
export function readToolResult({ content, structuredContent }: CallToolResult): ShownResult {
  const blocks: ContentBlock[] = [];
  const texts: string[] = [];
  let room = MAX_SHOWN_LENGTH;
  for (const item of content) {
    const block = toBlock(item);
    if (block === undefined) continue;
    texts.push(describe(block));
    room -= JSON.stringify(block).length;
    if (room >= 0) blocks.push(block);
  }
  if (texts.length === 0 && structuredContent !== undefined) texts.push(JSON.stringify(structuredContent));
  if (room < 0) blocks.push({ type: "text", text: "[The rest of the result is too large to be shown.]" });
  const text = texts.join("\n");
  return {
    content: blocks.map((block) => ({ type: "content", content: block })),
    text: text.length > MAX_MODEL_LENGTH ? `${text.slice(0, MAX_MODEL_LENGTH)}\n[The rest was cut off.]` : text,
  };
}

/** Converts a block. Only members that both protocols share are kept. */
function toBlock(item: CallToolResult["content"][number]): ContentBlock | undefined {
  switch (item.type) {
    case "text":
      return { type: "text", text: item.text };
    case "image":
    case "audio":
      return { type: item.type, data: item.data, mimeType: item.mimeType };
    case "resource_link": {
      const { uri, name, title, description, mimeType } = item;
      return {
        type: "resource_link",
        uri,
        name,
        ...(title === undefined ? {} : { title }),
        ...(description === undefined ? {} : { description }),
        ...(mimeType === undefined ? {} : { mimeType }),
      };
    }
    case "resource": {
      const { resource } = item;
      const mimeType = resource.mimeType === undefined ? {} : { mimeType: resource.mimeType };
      return "text" in resource
        ? { type: "resource", resource: { uri: resource.uri, text: resource.text, ...mimeType } }
        : { type: "resource", resource: { uri: resource.uri, blob: resource.blob, ...mimeType } };
    }
    default:
      return undefined;
  }
}

/** Returns a block as text. Pictures and sounds, which only the user sees, become a note. */
function describe(block: ContentBlock): string {
  switch (block.type) {
    case "text":
      return block.text;
    case "image":
    case "audio":
      return `[${block.type}, ${block.mimeType}, shown to the user]`;
    case "resource_link":
      return `[${block.name}](${block.uri})`;
    case "resource":
      return "text" in block.resource ? `${block.resource.uri}:\n${block.resource.text}` : `[${block.resource.uri}]`;
    default:
      return "";
  }
}
