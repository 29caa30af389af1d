import type { ContentBlock } from "@turnkit/agent";
import type { FilePart, ImagePart, TextPart } from "ai";

type UserPart = TextPart | ImagePart | FilePart;

/** What a model can take besides text. */
export type Senses = { readonly images: boolean };

/**
 * A prompt as the AI SDK's user message holds it. What the model cannot take is named in words, so that it can say so;
 * of links only the address is there, since reading them is up to the tools.
 */
export function toPromptContent(prompt: readonly ContentBlock[], senses: Senses): UserPart[] {
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
  // Providers refuse messages without any content.
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
