import type { LanguageModel } from "ai";
import { ModelError } from "./model-error.js";
import type { ModelSpec, ProviderSpec } from "./model-spec.js";

/**
 * Loads the package that speaks to a model's provider, the first time it is needed, and makes the model of it.
 *
 * @throws ModelError `login` if the provider wants a key and there is none
 */
export async function loadProvider({ provider, modelId }: ModelSpec): Promise<LanguageModel> {
  if (provider.needsKey && !provider.key) throw missingKey(provider);
  const { key: apiKey, headers } = provider;
  const baseURL = provider.baseURL;
  // Members that are given as `undefined` would be read from the environment instead.
  const settings = { ...(apiKey && { apiKey }), ...(baseURL && { baseURL }), ...(headers && { headers }) };
  switch (provider.type) {
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
      const place = baseURL ?? "http://127.0.0.1:11434/v1";
      return createOpenAICompatible({ ...settings, name: provider.id, baseURL: place, includeUsage: true })(modelId);
    }
  }
}

/** What to tell whoever chose a model without having its key. */
export function missingKey({ id, name, keyVariable }: ProviderSpec): ModelError {
  const variable = keyVariable ? `set ${keyVariable}, or ` : "";
  return new ModelError(`${name} needs a key: ${variable}run \`turnkit-agent login ${id}\`.`, {
    code: "login",
    provider: name,
  });
}
