import type { Prices } from "./cost.js";
import type { ProviderType } from "./known-providers.js";

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
  /** `true` if the key is from the environment, `false` if `turnkit-agent login` stored it. */
  readonly isKeyOfEnvironment?: boolean;
  readonly needsKey: boolean;
  /** `true` if requests of the type `anthropic` mark the parts of a prompt that the server may cache. Default: `true`. */
  readonly cache?: boolean;
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
