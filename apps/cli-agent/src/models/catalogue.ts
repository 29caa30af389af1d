import type { Prices } from "./cost.js";
import type { ProviderType } from "./known-providers.js";
import data from "./models.json" with { type: "json" };

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
  readonly prices?: Prices | readonly Prices[];
};

/** Properties that are assumed for a model without configuration. */
type Facts = { readonly contextWindow?: number; readonly images: boolean; readonly thinks: boolean };

const facts = data.facts.map(({ models, ...row }) => ({ ...row, models: new RegExp(models) }));

/**
 * Returns the assumed properties of a model, of the first matching row in `models.json`. The provider does not guarantee
 * these properties. The configuration can override each of them. A model without a row is assumed to accept only text.
 */
export function factsOf(type: ProviderType, modelId: string): Facts {
  return facts.find((row) => row.type === type && row.models.test(modelId)) ?? { images: false, thinks: false };
}

/** Date at the end of the name of a version, such as `-20261007` and `-2026-10-07`. */
const VERSION = /-\d{4}-?\d{2}-?\d{2}$/;

/**
 * Returns the prices of a model at its provider's own API, from `models.json`. Returns `undefined` for other models, and
 * for a model at another address, where it may have other prices.
 */
export function pricesOf({ id, baseURL }: ProviderSpec, modelId: string): readonly Prices[] | undefined {
  if (baseURL !== undefined) return undefined;
  const name = `${id}/${modelId.replace(VERSION, "")}`;
  return data.prices.find(({ model }) => model === name)?.tiers;
}
