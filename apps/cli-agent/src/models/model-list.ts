import type { ModelConfig } from "../config/config.js";
import { ConfigError } from "../config/config-error.js";
import type { Model } from "../model.js";
import { reviewer } from "../reviewer.js";
import { factsOf, knownProviders } from "./catalogue.js";
import { createLanguageModel } from "./language-model.js";
import { missingKey } from "./load-provider.js";
import type { ModelSpec, ProviderSpec } from "./model-spec.js";
import { usualEfforts } from "./provider-options.js";
import { CUSTOM, findProviders, namedProviders, type ProviderSources } from "./providers.js";
import { usualRetries } from "./retry.js";

/** The models that a user may choose. */
export interface ModelList {
  /** What is offered: the reviewer, and the models of providers that can be asked. Never empty. */
  readonly offered: readonly Pick<Model, "id" | "name">[];
  /** The one that a session begins with. */
  readonly preferred: string;
  /**
   * The model of that id, which need not be offered. Nothing is asked or loaded by it.
   *
   * @throws ConfigError for one whose provider is not known
   * @throws ModelError `login` for one whose key is missing
   */
  find(id: string): Model;
}

/** How the list comes about. */
export type ModelListOptions = Omit<ProviderSources, "place"> & {
  /** What the user asked for: `provider/model`, or at an address of its own just the model's name. */
  readonly model?: string;
  /** Where that model is, if not where its provider usually is. */
  readonly baseURL?: string;
};

/**
 * Puts together what can be chosen.
 *
 * @throws ConfigError for a model or a provider that cannot be
 */
export function createModelList(options: ModelListOptions): ModelList {
  const { baseURL, model = options.config.model } = options;
  const provider = [...namedProviders(options.config)].find((name) => model?.startsWith(`${name}/`)) ?? CUSTOM;
  const providers = findProviders({ ...options, ...(baseURL && { place: { provider, baseURL } }) });
  const specs = new Map(offeredIds(providers, options).map((id) => [id, toSpec(id, providers, options)]));
  const preferred = preferredId(providers, options);
  if (preferred !== reviewer.id) specs.set(preferred, toSpec(preferred, providers, options));
  const models = new Map<string, Model>([[reviewer.id, reviewer]]);
  return {
    offered: [...specs.values(), reviewer].map(({ id, name }) => ({ id, name })),
    preferred,
    find(id) {
      const found = models.get(id);
      if (found) return found;
      const spec = specs.get(id) ?? toSpec(id, providers, options);
      if (spec.provider.needsKey && !spec.provider.key) throw missingKey(spec.provider);
      const model = createLanguageModel(spec, { retries: { ...usualRetries, ...options.config.retries } });
      models.set(id, model);
      return model;
    },
  };
}

type Providers = ReadonlyMap<string, ProviderSpec>;

function offeredIds(providers: Providers, { config }: ModelListOptions): string[] {
  return [...providers.values()].flatMap(({ id, key }) => {
    const own = Object.keys(config.providers?.[id]?.models ?? {});
    const usual = key ? (knownProviders.find((known) => known.id === id)?.models ?? []) : [];
    return [...new Set([...own, ...usual])].map((modelId) => `${id}/${modelId}`);
  });
}

function preferredId(providers: Providers, { model, config }: ModelListOptions): string {
  const wanted = model ?? config.model;
  if (wanted === reviewer.id) return wanted;
  if (wanted !== undefined) return completeId(wanted, providers);
  const usual = knownProviders.find(({ id, models }) => models.length > 0 && providers.get(id)?.key);
  return usual ? `${usual.id}/${usual.models[0]}` : reviewer.id;
}

/** At an address of its own a model is called as the provider there calls it, slashes included. */
function completeId(wanted: string, providers: Providers): string {
  const provider = wanted.slice(0, Math.max(0, wanted.indexOf("/")));
  if (providers.has(provider) && wanted.length > provider.length + 1) return wanted;
  if (providers.has(CUSTOM)) return `${CUSTOM}/${wanted}`;
  throw new ConfigError(
    `The model \`${wanted}\` is of no known provider: write provider/model with one of ` +
      `${[...providers.keys()].join(", ")}, or \`${reviewer.id}\`; or say where it is with --base-url.`,
  );
}

function toSpec(id: string, providers: Providers, { config }: ModelListOptions): ModelSpec {
  const slash = id.indexOf("/");
  const modelId = id.slice(slash + 1);
  const provider = providers.get(id.slice(0, slash));
  if (!provider || modelId === "") throw new ConfigError(`There is no model \`${id}\`.`);
  const own: ModelConfig = config.providers?.[provider.id]?.models?.[modelId] ?? {};
  const { contextWindow, images, thinks } = factsOf(provider.type, modelId);
  return {
    id,
    name: own.name ?? `${modelId} (${provider.name})`,
    provider,
    modelId,
    contextWindow: own.contextWindow ?? contextWindow,
    maxOutputTokens: own.maxOutputTokens,
    images: own.images ?? images,
    efforts: own.efforts ?? (thinks ? usualEfforts : undefined),
    prices: own.prices,
  };
}
