import type { AuthMethod } from "@turnkit/agent";
import type { ProviderConfig } from "../config/config.js";
import type { Prices } from "./cost.js";

/** Package of the AI SDK for a provider. */
export type ProviderType = NonNullable<ProviderConfig["type"]>;

export type ProviderSpec = {
  readonly id: string;
  readonly name: string;
  readonly type: ProviderType;
  /** Address; default: the provider's own. `openai-compatible` has none. */
  readonly baseURL?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Key, if there is one; `needsKey` tells if one is needed. */
  readonly key?: string;
  readonly keyVariable?: string;
  readonly needsKey: boolean;
};

/** Facts of one model. An absent member is unknown. */
export type ModelSpec = {
  /** Id in the form `provider/model`. */
  readonly id: string;
  readonly name: string;
  readonly provider: ProviderSpec;
  /** Provider's own name of the model. */
  readonly modelId: string;
  /** Tokens of a request and its answer together. */
  readonly contextWindow?: number;
  /** Longest answer in tokens; default: the provider's own bound. */
  readonly maxOutputTokens?: number;
  readonly images: boolean;
  readonly efforts?: readonly string[];
  readonly prices?: Prices;
};

/** Provider that needs no configuration but a key. */
export type KnownProvider = {
  readonly id: string;
  readonly name: string;
  readonly type: ProviderType;
  readonly keyVariable?: string;
  readonly baseURLVariable?: string;
  readonly baseURL?: string;
  /** Models that are offered by default, the preferred one first. Every other model can be named. */
  readonly models: readonly string[];
};

/** Known providers. The first one with a key is the default. */
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

/** Assumed facts of a model without configuration. */
type Facts = { readonly contextWindow?: number; readonly images: boolean; readonly thinks: boolean };
type FactRow = Facts & { readonly type: ProviderType; readonly models: RegExp };

/**
 * Facts by model; the first matching row counts. Windows are the smallest that a provider gives to models of that name.
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
  // The model is unknown: only text is assumed.
  { type: "openai-compatible", models: /./, images: false, thinks: false },
];

/** Returns the assumed facts of a model. They are no promise of its provider, and the configuration overrides each. */
export function factsOf(type: ProviderType, modelId: string): Facts {
  return rows.find((row) => row.type === type && row.models.test(modelId)) ?? { images: false, thinks: false };
}

/** Providers whose key can be stored without any configuration. */
export const keyedProviders = knownProviders.filter(({ keyVariable }) => keyVariable !== undefined);

/** Ways to log in. Each starts this program again in a terminal, so the key never crosses the protocol. */
export const authMethods: readonly AuthMethod[] = keyedProviders.map(({ id, name, keyVariable }) => ({
  type: "terminal",
  methodId: `${id}-api-key`,
  name: `${name} API key`,
  description: `Asks for the key in a terminal and stores it for you alone. ${keyVariable} in the environment counts before it.`,
  args: ["login", id],
  env: [],
}));
