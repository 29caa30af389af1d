import type { TextStreamPart, ToolSet } from "ai";
import { listOf, membersOf } from "../members.js";
import type { ModelPart } from "../model.js";
import type { ModelSpec } from "./catalogue.js";
import type { ProviderType } from "./known-providers.js";

/** Largest number of searches of one request. Only Anthropic has such a bound. */
const MAX_SEARCHES = 8;

/** Largest result that goes back to the provider, in characters of JSON. */
const MAX_KEPT = 256 * 1024;

/** Models that can use the web search of their provider together with tools of the agent. */
const searching: Readonly<Partial<Record<ProviderType, RegExp>>> = {
  anthropic: /^(?!claude-3-(?:opus|sonnet|haiku))/,
  openai: /^(?!gpt-(?:3\.5|4$|4-|4\.1-nano))/,
  // Older models of Google do not search together with tools of the agent.
  google: /^gemini-(?![12](?:\.|-|$))/,
};

export const canSearchWeb = ({ provider: { type }, modelId }: ModelSpec): boolean =>
  searching[type]?.test(modelId) ?? false;

/** Returns the provider's own tool; an empty set if it has none. */
export async function webSearchTool({ provider: { type } }: ModelSpec): Promise<ToolSet> {
  switch (type) {
    case "anthropic": {
      const { anthropic } = await import("@ai-sdk/anthropic");
      return { web_search: anthropic.tools.webSearch_20250305({ maxUses: MAX_SEARCHES }) } as object as ToolSet;
    }
    case "openai": {
      const { openai } = await import("@ai-sdk/openai");
      return { web_search: openai.tools.webSearch({}) } as object as ToolSet;
    }
    case "google": {
      const { google } = await import("@ai-sdk/google");
      return { google_search: google.tools.googleSearch({}) } as object as ToolSet;
    }
    case "openai-compatible":
      return {};
  }
}

type Part = Extract<
  TextStreamPart<ToolSet>,
  { type: "tool-call" | "tool-result" | "tool-error" | "source" | "finish-step" }
>;

export function* toSearchParts(part: Part, { provider: { type: provider } }: ModelSpec): Generator<ModelPart> {
  if (part.type === "source") {
    if (part.sourceType === "url") yield { type: "sources", links: [part] };
    return;
  }
  if (part.type === "finish-step") {
    // Google reports queries here if the answer has no parts of a search.
    const { groundingChunks, webSearchQueries } = membersOf(part.providerMetadata?.google?.groundingMetadata);
    const pages = listOf(groundingChunks).map((chunk) => membersOf(membersOf(chunk).web));
    const links = pages.map(({ uri: url, title }) => ({ url, title }));
    const queries = listOf(webSearchQueries);
    if (queries.length > 0 || links.length > 0) yield { type: "sources", queries, links };
    return;
  }
  if (!part.providerExecuted) return;
  const { toolCallId, toolName, providerMetadata } = part;
  const id = { toolCallId, toolName, provider, ...(providerMetadata && { providerMetadata }) };
  if (part.type === "tool-call") yield { type: "search-call", ...id, input: part.input };
  else {
    const isError = part.type === "tool-error";
    const output: unknown = isError ? part.error : part.output;
    const isKept = (JSON.stringify(output) ?? "").length <= MAX_KEPT;
    yield { type: "search-result", ...id, isError, output: isKept ? output : null };
  }
}
