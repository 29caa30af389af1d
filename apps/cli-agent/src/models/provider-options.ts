import type { ModelMessage } from "ai";
import type { ModelSpec } from "./model-spec.js";

type ProviderOptions = NonNullable<ModelMessage["providerOptions"]>;

/** How hard most models can be told to think. */
export const usualEfforts: readonly string[] = ["low", "medium", "high"];

/** Tokens to think with, for models that are told in tokens. */
const BUDGETS: Readonly<Record<string, number>> = { low: 2_048, medium: 8_192, high: 24_576 };

/** What a provider is told besides the conversation: how hard to think, what to cache, what not to keep. */
export function providerOptions({ provider, modelId }: ModelSpec, effort: string | undefined): ProviderOptions {
  switch (provider.type) {
    case "openai":
      // Nothing is kept there: what the model wants back of its thoughts comes along with the conversation.
      return { openai: { store: false, ...(effort && { reasoningEffort: effort, reasoningSummary: "auto" }) } };
    case "anthropic":
      return {
        anthropic: {
          ...(effort && anthropicThinking(modelId, effort)),
          ...(provider.baseURL === undefined && { cacheControl: { type: "ephemeral" } }),
        },
      };
    case "google":
      return { google: googleThinking(modelId, effort) };
    case "openai-compatible":
      return effort ? { openaiCompatible: { reasoningEffort: effort } } : {};
  }
}

/** Models before 4.6 think with a budget of tokens, those after it as hard as they are told. */
function anthropicThinking(modelId: string, effort: string): ProviderOptions[string] {
  return /claude-(3|(opus|sonnet|haiku)-4-([0-5]|20\d+)(-|$))/.test(modelId)
    ? { thinking: { type: "enabled", budgetTokens: BUDGETS[effort] ?? 8_192 } }
    : { thinking: { type: "adaptive", display: "summarized" }, effort };
}

/** Thoughts are shown by every model that has some; 2.5 thinks with a budget, later ones as hard as they are told. */
function googleThinking(modelId: string, effort: string | undefined): ProviderOptions[string] {
  if (/gemini-(1|2\.0)|gemma/.test(modelId)) return {};
  const budget = /gemini-2\.5/.test(modelId);
  const amount = budget ? { thinkingBudget: BUDGETS[effort ?? ""] ?? -1 } : { thinkingLevel: effort };
  return { thinkingConfig: { includeThoughts: true, ...(effort && amount) } };
}
