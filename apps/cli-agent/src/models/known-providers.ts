import type { AuthMethod } from "@turnkit/agent";
import type { ProviderConfig } from "../config/config.js";

/** Type of a provider. Each type has its own package of the AI SDK. */
export type ProviderType = NonNullable<ProviderConfig["type"]>;

/** Provider that works without configuration, apart from a key. */
export type KnownProvider = {
  readonly id: string;
  readonly name: string;
  readonly type: ProviderType;
  readonly keyVariable?: string;
  readonly baseURLVariable?: string;
  readonly baseURL?: string;
  /** Models that are offered by default; the first is preferred. The user can name any other model of the provider. */
  readonly models: readonly string[];
};

/** Gateway or provider with the chat completions API, whose models change often. The user names a model. */
const gateway = (id: string, name: string, baseURL: string, keyVariable?: string): KnownProvider => ({
  ...{ id, name, type: "openai-compatible", baseURL, models: [] },
  ...(keyVariable !== undefined && { keyVariable }),
});

/** Address of an Ollama server that runs on this machine with its own defaults. */
export const OLLAMA_URL = "http://127.0.0.1:11434/v1";

/** Known providers. The default provider is the first one that has a key and a preferred model. */
export const knownProviders: readonly KnownProvider[] = [
  {
    id: "anthropic",
    name: "Anthropic",
    type: "anthropic",
    keyVariable: "ANTHROPIC_API_KEY",
    baseURLVariable: "ANTHROPIC_BASE_URL",
    models: ["claude-sonnet-5-5", "claude-opus-5-5", "claude-haiku-5-5"],
  },
  {
    id: "openai",
    name: "OpenAI",
    type: "openai",
    keyVariable: "OPENAI_API_KEY",
    baseURLVariable: "OPENAI_BASE_URL",
    models: ["gpt-6.1-sol", "gpt-6.1-terra", "gpt-6-luna"],
  },
  {
    id: "google",
    name: "Google",
    type: "google",
    keyVariable: "GOOGLE_GENERATIVE_AI_API_KEY",
    baseURLVariable: "GOOGLE_GENERATIVE_AI_BASE_URL",
    models: ["gemini-pro-latest", "gemini-flash-latest", "gemini-flash-lite-latest"],
  },
  {
    ...gateway("openrouter", "OpenRouter", "https://openrouter.ai/api/v1", "OPENROUTER_API_KEY"),
    // OpenRouter itself chooses a model for this name.
    models: ["openrouter/auto"],
  },
  gateway("vercel", "Vercel AI Gateway", "https://ai-gateway.vercel.sh/v1", "AI_GATEWAY_API_KEY"),
  gateway("groq", "Groq", "https://api.groq.com/openai/v1", "GROQ_API_KEY"),
  gateway("mistral", "Mistral", "https://api.mistral.ai/v1", "MISTRAL_API_KEY"),
  gateway("deepseek", "DeepSeek", "https://api.deepseek.com/v1", "DEEPSEEK_API_KEY"),
  gateway("xai", "xAI", "https://api.x.ai/v1", "XAI_API_KEY"),
  gateway("together", "Together AI", "https://api.together.xyz/v1", "TOGETHER_API_KEY"),
  gateway("fireworks", "Fireworks AI", "https://api.fireworks.ai/inference/v1", "FIREWORKS_API_KEY"),
  gateway("cerebras", "Cerebras", "https://api.cerebras.ai/v1", "CEREBRAS_API_KEY"),
  gateway("ollama", "Ollama", OLLAMA_URL),
  gateway("lmstudio", "LM Studio", "http://127.0.0.1:1234/v1"),
];

export const keyedProviders = knownProviders.filter(({ keyVariable }) => keyVariable !== undefined);

/**
 * Login methods, one for each provider with a key and preferred models. The client starts this program again in a
 * terminal, so the key never passes through the protocol.
 */
export const authMethods: readonly AuthMethod[] = keyedProviders.flatMap(({ id, name, keyVariable, models }) => {
  if (models.length === 0) return [];
  return {
    type: "terminal" as const,
    methodId: `${id}-api-key`,
    name: `${name} API key`,
    description: `Asks for the key in a terminal and stores it for you alone. ${keyVariable} in the environment has priority over the stored key.`,
    args: ["login", id],
    env: [],
  };
});
