import type { ModelConfig } from "../config/config.js";
import { ConfigError } from "../errors.js";
import type { Model } from "../model.js";
import { reviewer } from "../reviewer/reviewer.js";
import { factsOf, type ModelSpec, type ProviderSpec, pricesOf } from "./catalogue.js";
import { knownProviders } from "./known-providers.js";
import { createLanguageModel, defaultRetries } from "./language-model.js";
import { defaultEfforts, missingKey } from "./load-provider.js";
import { CUSTOM, findProviders, namedProviders, type ProviderSources } from "./providers.js";
import { serverSteps, setupAdvice } from "./setup-advice.js";

export interface ModelList {
  /**
   * Models that the user can choose: the reviewer, and the models of providers that can be used. The list is never
   * empty.
   */
  readonly offered: readonly Pick<Model, "id" | "name">[];
  readonly preferred: string;
  /** Markdown that says how to get a language model; absent if there is one, or if the user chose the reviewer. */
  readonly setupAdvice?: string;
  /** Steps to use the servers that the user has named without a model or a key. Empty if there are none. */
  readonly openSteps: readonly string[];
  /**
   * Returns the model with an id. The model may be missing from `offered`. Makes no request and loads no package.
   *
   * @throws ConfigError for an unknown provider
   * @throws ModelError `login` for a missing key
   */
  find(id: string): Model;
}

export type ModelListOptions = Omit<ProviderSources, "endpoint"> & {
  /** Model that the user named, as `provider/model`. With a `baseURL`, the provider may be left out. */
  readonly model?: string;
  /** Base URL of that model; absent if the model uses its provider's own URL. */
  readonly baseURL?: string;
  readonly ollamaModels?: readonly string[];
};

/**
 * Creates the list of models.
 *
 * @throws ConfigError for an invalid model or provider, and for a base URL without a model
 */
export function createModelList(options: ModelListOptions): ModelList {
  const { baseURL, model = options.config.model } = options;
  if (baseURL !== undefined && model === undefined) {
    throw new ConfigError(`The server at ${baseURL} needs the name of a model: give --model, or set TURNKIT_MODEL.`);
  }
  const provider = [...namedProviders(options.config)].find((name) => model?.startsWith(`${name}/`)) ?? CUSTOM;
  const providers = findProviders({ ...options, ...(baseURL && { endpoint: { provider, baseURL } }) });
  const specs = new Map(offeredIds(providers, options).map((id) => [id, toSpec(id, providers, options)]));
  const preferred = preferredId(providers, options);
  if (preferred !== reviewer.id) specs.set(preferred, toSpec(preferred, providers, options));
  const models = new Map<string, Model>([[reviewer.id, reviewer]]);
  const offered = [...specs.keys()];
  const openSteps = serverSteps(offered, [...providers.values()], options);
  const isForWant = preferred === reviewer.id && model === undefined;
  return {
    offered: [...specs.values(), reviewer].map(({ id, name }) => ({ id, name })),
    preferred,
    ...(isForWant && { setupAdvice: setupAdvice(offered, openSteps) }),
    openSteps,
    find(id) {
      const found = models.get(id);
      if (found) return found;
      const spec = specs.get(id) ?? toSpec(id, providers, options);
      if (spec.provider.needsKey && !spec.provider.key) throw missingKey(spec.provider);
      const model = createLanguageModel(spec, { retries: { ...defaultRetries, ...options.config.retries } });
      models.set(id, model);
      return model;
    },
  };
}

type Providers = ReadonlyMap<string, ProviderSpec>;

function offeredIds(providers: Providers, { config, ollamaModels = [] }: ModelListOptions): string[] {
  return [...providers.values()].flatMap(({ id, key }) => {
    const own = Object.keys(config.providers?.[id]?.models ?? {});
    const usual = key ? (knownProviders.find((known) => known.id === id)?.models ?? []) : [];
    const found = id === "ollama" ? ollamaModels : [];
    return [...new Set([...own, ...usual, ...found])].map((modelId) => `${id}/${modelId}`);
  });
}

function preferredId(providers: Providers, { model, config }: ModelListOptions): string {
  const wanted = model ?? config.model;
  if (wanted === reviewer.id) return wanted;
  if (wanted !== undefined) return completeId(wanted, providers);
  const usual = knownProviders.find(({ id, models }) => models.length > 0 && providers.get(id)?.key);
  return usual ? `${usual.id}/${usual.models[0]}` : reviewer.id;
}

/**
 * Completes the id of a model with its provider. With a base URL and no known provider, the whole text is the
 * provider's name for the model, slashes included.
 */
function completeId(wanted: string, providers: Providers): string {
  const provider = wanted.slice(0, Math.max(0, wanted.indexOf("/")));
  if (providers.has(provider) && wanted.length > provider.length + 1) return wanted;
  if (providers.has(CUSTOM)) return `${CUSTOM}/${wanted}`;
  throw new ConfigError(
    `The model \`${wanted}\` has no known provider. Write provider/model with one of these providers: ` +
      `${[...providers.keys()].join(", ")}, or \`${reviewer.id}\`; or give the address of the model with --base-url.`,
  );
}

function toSpec(id: string, providers: Providers, { config }: ModelListOptions): ModelSpec {
  const slash = id.indexOf("/");
  const modelId = id.slice(slash + 1);
  const provider = providers.get(id.slice(0, slash));
  if (!provider || modelId === "") throw new ConfigError(`There is no model \`${id}\`.`);
  const models = config.providers?.[provider.id]?.models ?? {};
  const own: ModelConfig = (Object.hasOwn(models, modelId) && models[modelId]) || {};
  const { contextWindow, images, thinks } = factsOf(provider.type, modelId);
  return {
    id,
    name: own.name ?? `${modelId} (${provider.name})`,
    provider,
    modelId,
    contextWindow: own.contextWindow ?? contextWindow,
    maxOutputTokens: own.maxOutputTokens,
    images: own.images ?? images,
    efforts: own.efforts ?? (thinks ? defaultEfforts : undefined),
    prices: own.prices ?? pricesOf(provider, modelId),
  };
}
