import type { Prices } from "./cost.js";

/** Package of the AI SDK for a provider. */
export type ProviderType = "openai" | "anthropic" | "google" | "openai-compatible";

/** List of all types. */
export const providerTypes: readonly ProviderType[] = ["openai", "anthropic", "google", "openai-compatible"];

/** Provider of a model. */
export type ProviderSpec = {
  /** Part of a model's id before the slash. */
  readonly id: string;
  /** Name for people. */
  readonly name: string;
  readonly type: ProviderType;
  /** Address; default: the provider's own. `openai-compatible` has none. */
  readonly baseURL?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Key, if there is one; `needsKey` tells if one is needed. */
  readonly key?: string;
  /** Environment variable of the key. */
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
  /** Levels of effort, from least to most. */
  readonly efforts?: readonly string[];
  readonly prices?: Prices;
};
