import type { ContentBlock } from "@turnkit/session";
import { trimEndOf } from "./line.js";

/**
 * Returns a content block as text. For content that a terminal cannot show, returns a short description in brackets.
 */
export function blockText(block: ContentBlock): string {
  switch (block.type) {
    case "text":
      return block.text;
    case "image":
    case "audio":
      return `[${block.type} ${block.mimeType}, ${byteCount(block.data)}]`;
    case "resource_link":
      return `[${block.title ?? block.name} ${block.uri}]`;
    case "resource":
      return "text" in block.resource
        ? `[${block.resource.uri}]\n${block.resource.text}`
        : `[${block.resource.uri}, ${byteCount(block.resource.blob)}]`;
    default:
      return `[content of the unknown type "${String(block.type)}"]`;
  }
}

function byteCount(base64: string): string {
  const bytes = Math.floor((trimEndOf(base64, "=").length * 3) / 4);
  return bytes < 1024 ? `${bytes} bytes` : `${Math.round(bytes / 1024)} KiB`;
}
