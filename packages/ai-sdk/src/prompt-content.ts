import type { ContentBlock } from "@turnkit/session";
import type { UIMessage } from "ai";

/** Returns the text and the files of a message as a prompt. Other parts are left out. */
export function promptContent({ parts }: UIMessage): ContentBlock[] {
  return parts.flatMap((part): ContentBlock[] => {
    if (part.type === "text") return part.text === "" ? [] : [{ type: "text", text: part.text }];
    return part.type === "file" ? [fileBlock(part)] : [];
  });
}

function fileBlock(file: {
  readonly url: string;
  readonly mediaType: string;
  readonly filename?: string;
}): ContentBlock {
  const { url, mediaType: mimeType, filename } = file;
  const [, data] = /^data:[^,]*;base64,(.*)$/s.exec(url) ?? [];
  if (data === undefined) return { type: "resource_link", uri: url, name: filename ?? url, mimeType };
  if (mimeType.startsWith("image/")) return { type: "image", data, mimeType };
  if (mimeType.startsWith("audio/")) return { type: "audio", data, mimeType };
  return {
    type: "resource",
    resource: { uri: `attachment:${encodeURIComponent(filename ?? "file")}`, blob: data, mimeType },
  };
}
