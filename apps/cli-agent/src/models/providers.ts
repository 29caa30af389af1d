import type { Config, ProviderConfig } from "../config/config.js";
import { requireUrl } from "../config/flags.js";
import { ConfigError } from "../errors.js";
import type { ProviderSpec } from "./catalogue.js";
import { type KnownProvider, knownProviders, type ProviderType } from "./known-providers.js";

export type ProviderSources = {
  readonly config: Config;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly keys: Readonly<Record<string, string>>;
  /** Base URL from the command line or the environment, and the id of its provider: {@link CUSTOM} if none was named. */
  readonly endpoint?: { readonly provider: string; readonly baseURL: string };
};

/** Id of the provider at a base URL that the user gave without a provider. */
export const CUSTOM = "custom";

/** Returns all known and configured providers by id. Providers without a key are included. */
export function findProviders(sources: ProviderSources): ReadonlyMap<string, ProviderSpec> {
  const ids = namedProviders(sources.config);
  if (sources.endpoint) ids.add(sources.endpoint.provider);
  return new Map([...ids].map((id) => [id, toProvider(id, sources)]));
}

/** Returns the ids of all known and configured providers. A model id may start with one of these ids. */
export function namedProviders(config: Config): Set<string> {
  return new Set([...knownProviders.map(({ id }) => id), ...Object.keys(config.providers ?? {})]);
}

function toProvider(id: string, { config, env, keys, endpoint }: ProviderSources): ProviderSpec {
  const known: Partial<KnownProvider> = knownProviders.find((provider) => provider.id === id) ?? {};
  const entry: ProviderConfig = config.providers?.[id] ?? {};
  const given = (id === endpoint?.provider ? endpoint.baseURL : undefined) ?? entry.baseURL ?? urlOf(env, known);
  const type = entry.type ?? typeAt(known.type ?? "openai-compatible", given);
  const baseURL = given && addressFor(type, given);
  if (type === "openai-compatible" && baseURL === undefined) {
    throw new ConfigError(`The provider \`${id}\` needs a \`baseURL\`, such as http://127.0.0.1:8000/v1.`);
  }
  const keyVariable = entry.keyVariable ?? (id === CUSTOM ? "TURNKIT_API_KEY" : known.keyVariable);
  const keyOfEnvironment = variable(env, keyVariable);
  const isKnownGateway = known.keyVariable !== undefined && known.baseURL !== undefined && given === known.baseURL;
  return {
    id,
    name: entry.name ?? known.name ?? (id === CUSTOM ? new URL(baseURL as string).host : id),
    type,
    baseURL,
    headers: entry.headers,
    key: keyOfEnvironment ?? keys[id],
    keyVariable,
    isKeyOfEnvironment: keyOfEnvironment !== undefined,
    needsKey: type !== "openai-compatible" || entry.keyVariable !== undefined || isKnownGateway,
    cache: entry.cache,
  };
}

function urlOf(env: ProviderSources["env"], { baseURLVariable: name, baseURL }: Partial<KnownProvider>) {
  const value = variable(env, name);
  return value === undefined || name === undefined ? baseURL : requireUrl(value, name);
}

/**
 * Returns the type of a provider at a base URL. A server that only imitates OpenAI gets the type `openai-compatible`,
 * because such servers often have only chat completions.
 */
function typeAt(type: ProviderType, baseURL: string | undefined): ProviderType {
  return type === "openai" && baseURL && !isAt(baseURL, "api.openai.com") ? "openai-compatible" : type;
}

/**
 * Returns the base URL for the AI SDK, or `undefined` for the provider's own URL. The AI SDK expects the version in a URL
 * of the type `anthropic`, so `/v1` is added if it is missing.
 */
function addressFor(type: ProviderType, baseURL: string): string | undefined {
  if (type === "openai" && isAt(baseURL, "api.openai.com")) return undefined;
  if (type !== "anthropic") return baseURL;
  if (isAt(baseURL, "api.anthropic.com")) return undefined;
  const url = baseURL.replace(/\/+$/, "");
  return /\/v\d+$/.test(url) ? url : `${url}/v1`;
}

const isAt = (baseURL: string, host: string): boolean => new URL(baseURL).hostname === host;

/** Returns the value of an environment variable. An empty value counts as missing. */
function variable(env: ProviderSources["env"], name: string | undefined): string | undefined {
  return (name !== undefined && env[name]) || undefined;
}
