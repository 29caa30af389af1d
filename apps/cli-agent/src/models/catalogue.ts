import type { AuthMethod } from "@turnkit/agent";
import type { ProviderConfig } from "../config/config.js";
import type { Prices } from "./cost.js";

/** Type of a provider. Each type has its own package of the AI SDK. */
export type ProviderType = NonNullable<ProviderConfig["type"]>;

export type ProviderSpec = {
  readonly id: string;
  readonly name: string;
  readonly type: ProviderType;
  /** Base URL of the API. Default: the provider's own URL. `openai-compatible` has no default. */
  readonly baseURL?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Key for the provider, if the user has one. `needsKey` is `true` if the provider requires a key. */
  readonly key?: string;
  readonly keyVariable?: string;
  readonly needsKey: boolean;
};

/** Properties of one model. An absent property is unknown. */
export type ModelSpec = {
  /** Id in the form `provider/model`. */
  readonly id: string;
  readonly name: string;
  readonly provider: ProviderSpec;
  /** Name of the model at the provider. */
  readonly modelId: string;
  /** Largest number of tokens of a request together with its answer. */
  readonly contextWindow?: number;
  /** Largest answer in tokens. Default: the provider's own bound. */
  readonly maxOutputTokens?: number;
  readonly images: boolean;
  readonly efforts?: readonly string[];
  readonly prices?: Prices;
};

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

/** Known providers. The default provider is the first one that has a key. */
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
  { id: "ollama", name: "Ollama", type: "openai-compatible", baseURL: "http://127.0.0.1:11434/v1", models: [] },
];

/** Properties that are assumed for a model without configuration. */
type Facts = { readonly contextWindow?: number; readonly images: boolean; readonly thinks: boolean };
type FactRow = Facts & { readonly type: ProviderType; readonly models: RegExp };

/**
 * Properties by model; the first matching row counts. Each window is the smallest one that the provider gives to a
 * model of that name.
 */
const rows: readonly FactRow[] = [
  { type: "anthropic", models: /claude-3-[05h]/, contextWindow: 200_000, images: true, thinks: false },
  { type: "anthropic", models: /./, contextWindow: 200_000, images: true, thinks: true },
  { type: "openai", models: /^gpt-(3\.5|4$|4-)/, contextWindow: 8_192, images: false, thinks: false },
  { type: "openai", models: /^gpt-4o|chat-latest$/, contextWindow: 128_000, images: true, thinks: false },
  { type: "openai", models: /^gpt-4\.1/, contextWindow: 1_000_000, images: true, thinks: false },
  { type: "openai", models: /^o\d/, contextWindow: 200_000, images: true, thinks: true },
  { type: "openai", models: /./, contextWindow: 272_000, images: true, thinks: true },
  { type: "google", models: /^gemma/, contextWindow: 32_000, images: false, thinks: false },
  { type: "google", models: /^gemini-2\.0/, contextWindow: 1_000_000, images: true, thinks: false },
  { type: "google", models: /./, contextWindow: 1_000_000, images: true, thinks: true },
  // Nothing is known about such a model, so it is assumed to accept only text.
  { type: "openai-compatible", models: /./, images: false, thinks: false },
];

/**
 * Returns the assumed properties of a model. The provider does not guarantee these properties. The configuration can
 * override each of them.
 */
export function factsOf(type: ProviderType, modelId: string): Facts {
  return rows.find((row) => row.type === type && row.models.test(modelId)) ?? { images: false, thinks: false };
}

/** Known providers that need a key. */
export const keyedProviders = knownProviders.filter(({ keyVariable }) => keyVariable !== undefined);

/**
 * Login methods, one for each provider with a key. The client starts this program again in a terminal, so the key never
 * passes through the protocol.
 */
export const authMethods: readonly AuthMethod[] = keyedProviders.map(({ id, name, keyVariable }) => ({
  type: "terminal",
  methodId: `${id}-api-key`,
  name: `${name} API key`,
  description: `Asks for the key in a terminal and stores it for you alone. ${keyVariable} in the environment has priority over the stored key.`,
  args: ["login", id],
  env: [],
}));
