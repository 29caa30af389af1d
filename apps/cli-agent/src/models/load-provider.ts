import type { LanguageModel } from "ai";
import { ModelError } from "./model-error.js";
import type { ModelSpec, ProviderSpec, ProviderType } from "./model-spec.js";

/** Where the providers are themselves. What is compatible with one of them is elsewhere, and always says where. */
const addresses: Readonly<Record<ProviderType, string>> = {
  openai: "https://api.openai.com/v1",
  anthropic: "https://api.anthropic.com/v1",
  google: "https://generativelanguage.googleapis.com/v1beta",
  "openai-compatible": "",
};

/**
 * Loads the package that speaks to a model's provider, the first time it is needed, and makes the model of it.
 *
 * @throws ModelError `login` if the provider wants a key and there is none
 */
export async function loadProvider({ provider, modelId }: ModelSpec): Promise<LanguageModel> {
  const { id, type, key: apiKey, headers } = provider;
  if (provider.needsKey && !apiKey) throw missingKey(provider);
  // Always said: the packages would look for an address in the environment, which may be another provider's.
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

/** What to tell whoever chose a model without having its key. */
export function missingKey({ id, name, keyVariable }: ProviderSpec): ModelError {
  const variable = keyVariable ? `set ${keyVariable}, or ` : "";
  return new ModelError(`${name} needs a key: ${variable}run \`turnkit-agent login ${id}\`.`, {
    code: "login",
    provider: name,
  });
}
