import type { LanguageModel, ModelMessage } from "ai";
import { ModelError } from "../errors.js";
import type { ModelSpec, ProviderSpec, ProviderType } from "./catalogue.js";

/** Addresses of the providers. A compatible provider always configures its own. */
const addresses: Readonly<Record<ProviderType, string>> = {
  openai: "https://api.openai.com/v1",
  anthropic: "https://api.anthropic.com/v1",
  google: "https://generativelanguage.googleapis.com/v1beta",
  "openai-compatible": "",
};

/**
 * Loads the package for a model's provider on first use, and creates the model.
 *
 * @throws ModelError `login` if the provider needs a key and there is none
 */
export async function loadProvider({ provider, modelId }: ModelSpec): Promise<LanguageModel> {
  const { id, type, key: apiKey, headers } = provider;
  if (provider.needsKey && !apiKey) throw missingKey(provider);
  // The address is always passed: the packages would read one from the environment, which may be another provider's.
  const baseURL = provider.baseURL ?? addresses[type];
  const settings = { baseURL, apiKey, headers };
  switch (type) {
    case "openai": {
      const { createOpenAI } = await import("@ai-sdk/openai");
      return createOpenAI(settings).responses(modelId);
    }
    case "anthropic": {
      const { createAnthropic } = await import("@ai-sdk/anthropic");
      return createAnthropic(settings)(modelId);
    }
    case "google": {
      const { createGoogleGenerativeAI } = await import("@ai-sdk/google");
      return createGoogleGenerativeAI(settings)(modelId);
    }
    case "openai-compatible": {
      const { createOpenAICompatible } = await import("@ai-sdk/openai-compatible");
      return createOpenAICompatible({ ...settings, name: id, includeUsage: true })(modelId);
    }
  }
}

export function missingKey({ id, name, keyVariable }: ProviderSpec): ModelError {
  const variable = keyVariable ? `set ${keyVariable}, or ` : "";
  return new ModelError(`${name} needs a key: ${variable}run \`turnkit-agent login ${id}\`.`, {
    code: "login",
    provider: name,
  });
}

type ProviderOptions = NonNullable<ModelMessage["providerOptions"]>;

export const usualEfforts: readonly string[] = ["low", "medium", "high"];

/** Budgets of tokens by effort, for models that think with a budget. */
const BUDGETS: Readonly<Record<string, number>> = { low: 2_048, medium: 8_192, high: 24_576 };

/** Returns the provider's own options: effort, caching, and no storage. */
export function providerOptions({ provider, modelId }: ModelSpec, effort: string | undefined): ProviderOptions {
  switch (provider.type) {
    case "openai":
      // OpenAI stores nothing: the conversation carries the thoughts that the model needs again.
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

/** Returns the options of thinking: a budget of tokens for models before 4.6, an effort for later ones. */
function anthropicThinking(modelId: string, effort: string): ProviderOptions[string] {
  return /claude-(3|(opus|sonnet|haiku)-4-([0-5]|20\d+)(-|$))/.test(modelId)
    ? { thinking: { type: "enabled", budgetTokens: BUDGETS[effort] ?? 8_192 } }
    : { thinking: { type: "adaptive", display: "summarized" }, effort };
}

/**
 * Returns the options of thinking: a budget for 2.5, a level for later models. Thoughts are shown wherever a model has
 * them.
 */
function googleThinking(modelId: string, effort: string | undefined): ProviderOptions[string] {
  if (/gemini-(1|2\.0)|gemma/.test(modelId)) return {};
  const budget = /gemini-2\.5/.test(modelId);
  const amount = budget ? { thinkingBudget: BUDGETS[effort ?? ""] ?? -1 } : { thinkingLevel: effort };
  return { thinkingConfig: { includeThoughts: true, ...(effort && amount) } };
}
