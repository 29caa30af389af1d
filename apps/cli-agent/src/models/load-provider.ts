import type { LanguageModel, ModelMessage } from "ai";
import { boundedFetch } from "../bounded-fetch.js";
import { ModelError } from "../errors.js";
import type { ModelSpec, ProviderSpec } from "./catalogue.js";
import type { ProviderType } from "./known-providers.js";

/** Base URLs of the providers' APIs. The configuration always contains the URL of an `openai-compatible` provider. */
const addresses: Readonly<Record<ProviderType, string>> = {
  openai: "https://api.openai.com/v1",
  anthropic: "https://api.anthropic.com/v1",
  google: "https://generativelanguage.googleapis.com/v1beta",
  "openai-compatible": "",
};

/**
 * Loads the package for a model's provider on first use, and creates the model.
 *
 * @throws ModelError `login` if the provider needs a key and has none
 */
export async function loadProvider({ provider, modelId }: ModelSpec): Promise<LanguageModel> {
  const { id, type, key: apiKey, headers } = provider;
  if (provider.needsKey && !apiKey) throw missingKey(provider);
  // If the base URL is missing, the packages read a URL from the environment. It may belong to another provider.
  const baseURL = provider.baseURL ?? addresses[type];
  const settings = { baseURL, apiKey, headers, fetch: boundedFetch };
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

/** Returns a sentence with the remedy for a key that the provider refused. */
export function keyAdvice({ id, keyVariable, isKeyOfEnvironment }: ProviderSpec): string {
  // A stored key would not help, because the variable has priority.
  if (isKeyOfEnvironment) return `Set another key in ${keyVariable}, and start the agent again.`;
  return `Store another key with \`turnkit-agent login ${id}\`, and begin a new session.`;
}

type ProviderOptions = NonNullable<ModelMessage["providerOptions"]>;

export const defaultEfforts: readonly string[] = ["low", "medium", "high"];

/** Token budgets for thinking by effort, for models that think with a budget. */
const BUDGETS: Readonly<Record<string, number>> = { low: 2_048, medium: 8_192, high: 24_576 };

/** Returns options in the provider's own form: effort, and no storage of requests. */
export function providerOptions({ provider, modelId }: ModelSpec, effort: string | undefined): ProviderOptions {
  switch (provider.type) {
    case "openai":
      // OpenAI stores no requests, so the conversation carries the thoughts that the model needs again.
      return { openai: { store: false, ...(effort && { reasoningEffort: effort, reasoningSummary: "auto" }) } };
    case "anthropic":
      return { anthropic: { ...(effort && anthropicThinking(modelId, effort)) } };
    case "google":
      return { google: googleThinking(modelId, effort) };
    case "openai-compatible":
      return effort ? { openaiCompatible: { reasoningEffort: effort } } : {};
  }
}

/** Returns the options for thinking. Models before 4.6 take a token budget; later models take an effort. */
function anthropicThinking(modelId: string, effort: string): ProviderOptions[string] {
  return /claude-(3|(opus|sonnet|haiku)-4-([0-5]|20\d+)(-|$))/.test(modelId)
    ? { thinking: { type: "enabled", budgetTokens: BUDGETS[effort] ?? 8_192 } }
    : { thinking: { type: "adaptive", display: "summarized" }, effort };
}

/**
 * Returns the options for thinking. Models of version 2.5 take a token budget; later models take a level. Models before
 * 2.5 have no thoughts, so they get no options.
 */
function googleThinking(modelId: string, effort: string | undefined): ProviderOptions[string] {
  if (/gemini-(1|2\.0)|gemma/.test(modelId)) return {};
  const budget = /gemini-2\.5/.test(modelId);
  const amount = budget ? { thinkingBudget: BUDGETS[effort ?? ""] ?? -1 } : { thinkingLevel: effort };
  return { thinkingConfig: { includeThoughts: true, ...(effort && amount) } };
}
