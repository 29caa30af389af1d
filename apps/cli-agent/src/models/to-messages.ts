import type { AssistantContent, ModelMessage, ToolResultPart } from "ai";
import type { AssistantPart, ConversationItem, ToolOutput } from "../model.js";
import { type Senses, toPromptContent } from "./prompt-content.js";

type ProviderOptions = NonNullable<ModelMessage["providerOptions"]>;
type AssistantMessagePart = Exclude<AssistantContent, string>[number];

/** A conversation in the AI SDK's terms. What a provider wanted back with a part goes back with it. */
export function toMessages(conversation: readonly ConversationItem[], senses: Senses): ModelMessage[] {
  return conversation.flatMap((item) => toMessage(item, senses) ?? []);
}

/** `undefined` for an item that holds nothing a provider would take. */
function toMessage(item: ConversationItem, senses: Senses): ModelMessage | undefined {
  switch (item.role) {
    case "user":
      return { role: "user", content: toPromptContent(item.content, senses) };
    case "assistant": {
      const content = item.content.flatMap(toAssistantPart);
      return content.length > 0 ? { role: "assistant", content } : undefined;
    }
    case "tool":
      return { role: "tool", content: item.content.map(toToolResult) };
  }
}

function toAssistantPart(part: AssistantPart): AssistantMessagePart[] {
  const data = part.providerMetadata === undefined ? {} : { providerOptions: part.providerMetadata as ProviderOptions };
  if (part.type === "tool-call") {
    const { toolCallId, toolName } = part;
    return [{ type: "tool-call", toolCallId, toolName, input: toInput(part.input), ...data }];
  }
  // An empty thought may carry the provider's own, sealed; empty text carries nothing, and some providers refuse it.
  if (part.text === "" && (part.type === "text" || part.providerMetadata === undefined)) return [];
  return [{ type: part.type, text: part.text, ...data }];
}

/** Providers take nothing but an object; a model that wrote something else sees what it wrote. */
function toInput(input: unknown): object {
  return typeof input === "object" && input !== null && !Array.isArray(input) ? input : { invalid: input };
}

function toToolResult({
  toolCallId,
  toolName,
  output,
}: Extract<ConversationItem, { role: "tool" }>["content"][number]): ToolResultPart {
  return { type: "tool-result", toolCallId, toolName, output: toOutput(output) };
}

function toOutput(output: ToolOutput): ToolResultPart["output"] {
  switch (output.type) {
    case "text":
      return output;
    case "json":
      return { type: "json", value: output.value as never };
    case "error":
      return { type: "error-text", value: `${output.code}: ${output.message}` };
  }
}
