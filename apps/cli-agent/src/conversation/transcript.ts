import type { ContentBlock } from "@turnkit/agent";
import type { ConversationItem, ToolOutput } from "../model.js";

/** Characters of a tool's result in a transcript; the answer after it repeats its essence. */
const MAX_RESULT = 2_000;

/**
 * Returns a conversation as text for a model to read, rather than to continue.
 *
 * @param maxLength in characters; a longer text loses its middle, because the start holds the task and the end the
 * current state
 */
export function transcribe(conversation: readonly ConversationItem[], maxLength: number): string {
  const text = `<transcript>\n${conversation.map(transcribeItem).join("\n\n")}\n</transcript>`;
  return cut(text, maxLength);
}

function transcribeItem(item: ConversationItem): string {
  switch (item.role) {
    case "user":
      return `User: ${item.content.map(transcribeBlock).join("\n")}`;
    case "assistant":
      return item.content
        .flatMap((part) => {
          if (part.type === "text") return [`Agent: ${part.text}`];
          return part.type === "tool-call"
            ? [`Agent calls ${part.toolName}(${cut(JSON.stringify(part.input), MAX_RESULT)})`]
            : [];
        })
        .join("\n");
    case "tool":
      return item.content
        .map(({ toolName, output }) => `${toolName} answers: ${cut(transcribeOutput(output), MAX_RESULT)}`)
        .join("\n");
  }
}

function transcribeBlock(block: ContentBlock): string {
  switch (block.type) {
    case "text":
      return block.text;
    case "resource_link":
      return `[${block.name}](${block.uri})`;
    case "resource":
      return "text" in block.resource
        ? `[${block.resource.uri}]: ${cut(block.resource.text, MAX_RESULT)}`
        : `[${block.resource.uri}]`;
    default:
      return `[${String(block.type)}]`;
  }
}

function transcribeOutput(output: ToolOutput): string {
  switch (output.type) {
    case "text":
      return output.value;
    case "json":
      return JSON.stringify(output.value);
    case "error":
      return `${output.code}: ${output.message}`;
  }
}

/** Cuts the middle out of a long text. */
function cut(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  const half = Math.max(0, Math.floor(maxLength / 2) - 20);
  return `${text.slice(0, half)}\n[… ${text.length - 2 * half} characters …]\n${text.slice(text.length - half)}`;
}
