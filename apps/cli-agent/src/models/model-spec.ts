import type { Prices } from "./cost.js";

/** Which of the AI SDK's packages speaks to a provider. */
export type ProviderType = "openai" | "anthropic" | "google" | "openai-compatible";

/** The types, for whoever has to list them. */
export const providerTypes: readonly ProviderType[] = ["openai", "anthropic", "google", "openai-compatible"];

/** Where a model is to be found. */
export type ProviderSpec = {
  /** What stands before the slash in the id of a model. */
  readonly id: string;
  /** What people call it. */
  readonly name: string;
  readonly type: ProviderType;
  /** The provider's own address unless said otherwise; `openai-compatible` has none. */
  readonly baseURL?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Absent where there is none; whether one is needed, `needsKey` tells. */
  readonly key?: string;
  /** How the user can provide the key: the name of a variable of the environment. */
  readonly keyVariable?: string;
  readonly needsKey: boolean;
};

/** Everything about one model. What is absent, nobody knows. */
export type ModelSpec = {
  /** `provider/model`, as users write it. */
  readonly id: string;
  readonly name: string;
  readonly provider: ProviderSpec;
  /** As the provider knows it. */
  readonly modelId: string;
  /** Tokens of a request and its answer together. */
  readonly contextWindow?: number;
  /** The longest answer; the provider's own bound unless said otherwise. */
  readonly maxOutputTokens?: number;
  readonly images: boolean;
  /** How hard it can be told to think, from least to most. */
  readonly efforts?: readonly string[];
  readonly prices?: Prices;
};
