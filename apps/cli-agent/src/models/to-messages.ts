import type { ContentBlock } from "@turnkit/agent";
import type { AssistantContent, FilePart, ImagePart, ModelMessage, TextPart, ToolResultPart } from "ai";
import type { AssistantPart, ConversationItem, SearchPart, ToolOutput, ToolResult } from "../model.js";
import { searchNote } from "../web-search/found.js";

type ProviderOptions = NonNullable<ModelMessage["providerOptions"]>;
type AssistantMessagePart = Exclude<AssistantContent, string>[number];

/**
 * Converts a conversation to the AI SDK's messages. The opaque data of a part goes back to the provider with
 * this part. Searches of another type of provider become notes.
 */
export function toMessages(conversation: readonly ConversationItem[], senses: Senses): ModelMessage[] {
  const isWhole = wholeSearches(conversation, senses);
  return conversation.flatMap((item) => toMessage(item, senses, isWhole));
}

/** Returns a function that returns `true` if the provider accepts a part of a search unchanged. */
function wholeSearches(conversation: readonly ConversationItem[], { searchesOf }: Senses) {
  const last = conversation.findLast(({ role }) => role === "assistant");
  const calls = new Set<string>();
  const whole = new Set<string>();
  for (const item of conversation) {
    if (item.role !== "assistant") continue;
    for (const part of item.content) {
      if (!("provider" in part) || part.provider !== searchesOf) continue;
      if (part.type === "search-call") {
        calls.add(part.toolCallId);
        // The provider continues an open search after the results of this item.
        if (item === last) whole.add(part.toolCallId);
      } else if (part.output === null) whole.delete(part.toolCallId);
      else if (calls.has(part.toolCallId)) whole.add(part.toolCallId);
    }
  }
  return ({ toolCallId, provider }: SearchPart) => provider === searchesOf && whole.has(toolCallId);
}

/** Converts an item. Returns nothing if a provider accepts none of its content. */
function toMessage(
  item: ConversationItem,
  senses: Senses,
  isWhole: (part: SearchPart) => boolean,
): ModelMessage | readonly ModelMessage[] {
  switch (item.role) {
    case "user":
      return { role: "user", content: toPromptContent(item.content, senses) };
    case "assistant": {
      const content = item.content.flatMap((part) => toAssistantPart(part, isWhole));
      return content.length > 0 ? { role: "assistant", content } : [];
    }
    case "tool":
      return toResults(item.content, senses);
  }
}

/**
 * Converts the results of tools. Chat completions take no pictures in results, so the pictures follow as a message of the
 * user.
 */
function toResults(results: readonly ToolResult[], { images, pictures = "in results" }: Senses): ModelMessage[] {
  const shows = images && pictures === "in results";
  const message: ModelMessage = {
    role: "tool",
    content: results.map(({ output, ...call }) => ({ type: "tool-result", ...call, output: toOutput(output, shows) })),
  };
  const shown = images && !shows ? results.flatMap(({ output }) => (output.type === "picture" ? output : [])) : [];
  if (shown.length === 0) return [message];
  const content = shown.flatMap(({ text: name, data, mimeType }) => [text(name), image(data, mimeType, { images })]);
  return [message, { role: "user", content }];
}

function toAssistantPart(part: AssistantPart, isWhole: (part: SearchPart) => boolean): AssistantMessagePart[] {
  const data = part.providerMetadata === undefined ? {} : { providerOptions: part.providerMetadata as ProviderOptions };
  if (part.type === "tool-call") {
    const { toolCallId, toolName } = part;
    return [{ type: "tool-call", toolCallId, toolName, input: toInput(part.input), ...data }];
  }
  if ("provider" in part) {
    const { toolCallId, toolName } = part;
    if (!isWhole(part)) return part.type === "search-result" ? [text(searchNote(part))] : [];
    if (part.type === "search-call") {
      return [{ type: "tool-call", toolCallId, toolName, input: toInput(part.input), providerExecuted: true, ...data }];
    }
    const output = { type: part.isError ? "error-json" : "json", value: part.output as never } as const;
    return [{ type: "tool-result", toolCallId, toolName, output, ...data }];
  }
  // An empty thought may carry sealed data of the provider. An empty text carries nothing, and some providers refuse
  // empty texts.
  if (part.text === "" && (part.type === "text" || part.providerMetadata === undefined)) return [];
  return [{ type: part.type, text: part.text, ...data }];
}

/**
 * Wraps an input that is not an object, because providers accept only objects. The model can then notice its mistake.
 */
function toInput(input: unknown): object {
  return typeof input === "object" && input !== null && !Array.isArray(input) ? input : { invalid: input };
}

function toOutput(output: ToolOutput, showsPictures: boolean): ToolResultPart["output"] {
  switch (output.type) {
    case "picture": {
      const { data, mimeType: mediaType, text: value } = output;
      if (!showsPictures) return { type: "text", value: `${value} It is not shown here.` };
      return { type: "content", value: [text(value), { type: "image-data", data, mediaType }] };
    }
    case "text":
      return output;
    case "json":
      return { type: "json", value: output.value as never };
    case "error":
      return { type: "error-text", value: `${output.code}: ${output.message}` };
  }
}

type UserPart = TextPart | ImagePart | FilePart;

/** Kinds of content that a model accepts. */
export type Senses = {
  readonly images: boolean;
  /** Place of the pictures that tools return; default: in the results. */
  readonly pictures?: "in results" | "after results";
  /** Type of the provider. Its own web searches are sent back to it unchanged. All other searches become notes. */
  readonly searchesOf?: string;
};

/**
 * Converts a prompt to a user message of the AI SDK. If the model cannot read a kind of content, a note with its name
 * replaces the content. For a link, only the address is included. The model can read the file with a tool.
 */
function toPromptContent(prompt: readonly ContentBlock[], senses: Senses): UserPart[] {
  const parts = prompt.flatMap((block): UserPart[] => {
    switch (block.type) {
      case "text":
        return block.text === "" ? [] : [text(block.text)];
      case "image":
        return [image(block.data, block.mimeType, senses)];
      case "audio":
        return [text(`[A recording (${block.mimeType}) was attached, which you cannot hear.]`)];
      case "resource_link":
        return [text(linkText(block))];
      case "resource":
        return [resource(block.resource, senses)];
      default:
        return [text(`[Something of the unknown type ${String((block as { type: unknown }).type)} was attached.]`)];
    }
  });
  // Providers refuse messages without content.
  return parts.length > 0 ? parts : [text("(empty)")];
}

const text = (value: string): TextPart => ({ type: "text", text: value });

function image(data: string, mediaType: string, { images }: Senses): UserPart {
  if (!images) return text(`[A picture (${mediaType}) was attached, which you cannot see.]`);
  return { type: "image", image: data, mediaType };
}

function linkText(link: Extract<ContentBlock, { type: "resource_link" }>): string {
  const about = [link.title, link.description, link.mimeType].filter(Boolean).join("; ");
  return `[${link.name}](${link.uri})${about ? ` (${about})` : ""}`;
}

function resource(
  { uri, mimeType, ...content }: Extract<ContentBlock, { type: "resource" }>["resource"],
  senses: Senses,
): UserPart {
  if ("text" in content) return text(`<resource uri=${JSON.stringify(uri)}>\n${content.text}\n</resource>`);
  if (mimeType?.startsWith("image/")) return image(content.blob, mimeType, senses);
  return text(`[The binary resource ${uri}${mimeType ? ` (${mimeType})` : ""} was attached, which you cannot read.]`);
}
