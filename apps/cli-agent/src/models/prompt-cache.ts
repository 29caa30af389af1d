import type { ModelMessage, SystemModelMessage } from "ai";
import type { ProviderSpec } from "./catalogue.js";

type Prompt = { readonly instructions?: string; readonly messages: readonly ModelMessage[] };

/** Mark at the end of a part of a prompt. A server with Anthropic's API keeps everything up to the mark in its cache. */
const mark = { anthropic: { cacheControl: { type: "ephemeral" } } };

/**
 * Returns the prompt of a request, with marks for the cache of servers with Anthropic's API. Other servers cache without
 * marks. At most three of the four allowed marks are used:
 * - the end of the instructions, which follow the tools
 * - the end of the previous request, where the cache of that request ends
 * - the end of this request, for the next one
 */
export function markForCache({ instructions, messages }: Prompt, { type, cache = true }: ProviderSpec) {
  const isMarked = type === "anthropic" && cache;
  const last = messages.length - 1;
  const before = messages.findLastIndex(({ role }) => role === "assistant") - 1;
  const system: SystemModelMessage | undefined = instructions
    ? { role: "system", content: instructions, ...(isMarked && { providerOptions: mark }) }
    : undefined;
  return {
    ...(system && { system }),
    messages: messages.map((message, index): ModelMessage => {
      return isMarked && (index === last || index === before) ? { ...message, providerOptions: mark } : message;
    }),
  };
}
