import type { Config, ProviderConfig } from "../config/config.js";
import { ConfigError } from "../config/config-error.js";
import { requireUrl } from "../config/flags.js";
import { type KnownProvider, knownProviders } from "./catalogue.js";
import type { ProviderSpec, ProviderType } from "./model-spec.js";

/** Where providers and their keys may come from. */
export type ProviderSources = {
  readonly config: Config;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Stored by a login, by provider. */
  readonly keys: Readonly<Record<string, string>>;
  /** An address from the command line or the environment, and whose it is: {@link CUSTOM} where it has no other name. */
  readonly place?: { readonly provider: string; readonly baseURL: string };
};

/** The id of the provider at an address that has no name. */
export const CUSTOM = "custom";

/** All providers that are known or configured, by id; whether they have a key is for whoever uses them. */
export function findProviders(sources: ProviderSources): ReadonlyMap<string, ProviderSpec> {
  const ids = namedProviders(sources.config);
  if (sources.place) ids.add(sources.place.provider);
  return new Map([...ids].map((id) => [id, toProvider(id, sources)]));
}

/** Every name that can stand before the slash of a model's id. */
export function namedProviders(config: Config): Set<string> {
  return new Set([...knownProviders.map(({ id }) => id), ...Object.keys(config.providers ?? {})]);
}

function toProvider(id: string, { config, env, keys, place }: ProviderSources): ProviderSpec {
  const known: Partial<KnownProvider> = knownProviders.find((provider) => provider.id === id) ?? {};
  const entry: ProviderConfig = config.providers?.[id] ?? {};
  const given = (id === place?.provider ? place.baseURL : undefined) ?? entry.baseURL ?? urlOf(env, known);
  const type = entry.type ?? typeAt(known.type ?? "openai-compatible", given);
  const baseURL = given && addressFor(type, given);
  if (type === "openai-compatible" && baseURL === undefined) {
    throw new ConfigError(`The provider \`${id}\` needs a \`baseURL\`, such as http://127.0.0.1:8000/v1.`);
  }
  const keyVariable = entry.keyVariable ?? (id === CUSTOM ? "TURNKIT_API_KEY" : known.keyVariable);
  return {
    id,
    name: entry.name ?? known.name ?? (id === CUSTOM ? new URL(baseURL as string).host : id),
    type,
    baseURL,
    headers: entry.headers,
    key: variable(env, keyVariable) ?? keys[id],
    keyVariable,
    needsKey: type !== "openai-compatible" || entry.keyVariable !== undefined,
  };
}

function urlOf(env: ProviderSources["env"], { baseURLVariable: name, baseURL }: Partial<KnownProvider>) {
  const value = variable(env, name);
  return value === undefined || name === undefined ? baseURL : requireUrl(value, name);
}

/** What stands in for OpenAI at another address speaks chat completions; few of them know more than that. */
function typeAt(type: ProviderType, baseURL: string | undefined): ProviderType {
  return type === "openai" && baseURL && !isAt(baseURL, "api.openai.com") ? "openai-compatible" : type;
}

/**
 * The address as the AI SDK wants it: none for a provider's own, and of Anthropic's the version, which others add
 * themselves.
 */
function addressFor(type: ProviderType, baseURL: string): string | undefined {
  if (type === "openai" && isAt(baseURL, "api.openai.com")) return undefined;
  if (type !== "anthropic") return baseURL;
  if (isAt(baseURL, "api.anthropic.com")) return undefined;
  const place = baseURL.replace(/\/+$/, "");
  return /\/v\d+$/.test(place) ? place : `${place}/v1`;
}

const isAt = (baseURL: string, host: string): boolean => new URL(baseURL).hostname === host;

/** An empty variable is as good as none. */
function variable(env: ProviderSources["env"], name: string | undefined): string | undefined {
  return (name !== undefined && env[name]) || undefined;
}
