import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { ModelList } from "../models/model-list.js";
import type { Mode } from "../modes.js";
import type { Config } from "./config.js";
import { ConfigError } from "./config-error.js";
import { configFolder } from "./config-folder.js";
import { type Flags, requireUrl } from "./flags.js";
import { readKeys } from "./keys.js";

/** All that the user decided before the first session. */
export type Settings = {
  readonly models: ModelList;
  readonly mode: Mode;
  readonly effort?: string;
  /** How often a model may be asked in one turn. */
  readonly maxRequests: number;
  /** At which share of its context window a conversation is compacted; from 0 to 1. */
  readonly compactAt: number;
  /** Whether there is a tool that fetches URLs. */
  readonly fetch: boolean;
  /** Variables that hold keys by the configuration's word, whatever they are called: no command may see them. */
  readonly keyVariables: readonly string[];
};

/** How often a model is asked in one turn, unless somebody says otherwise. */
const MAX_REQUESTS = 50;

/** The rest is for the answer, and for what a tool may return. */
const COMPACT_AT = 0.8;

/**
 * Puts the command line, the environment and the user's files together; what comes first in that list counts.
 *
 * @throws ConfigError for what cannot be used; the message names its place
 */
export async function loadSettings(flags: Flags, env: NodeJS.ProcessEnv = process.env): Promise<Settings> {
  const folder = configFolder(env);
  const [config, keys, { createModelList }] = await Promise.all([
    readConfig(flags, env),
    readKeys(folder),
    import("../models/model-list.js"),
  ]);
  const ownURL = env.TURNKIT_BASE_URL ? requireUrl(env.TURNKIT_BASE_URL, "TURNKIT_BASE_URL") : undefined;
  const baseURL = flags.baseURL ?? ownURL;
  const models = createModelList({
    config,
    env,
    keys,
    baseURL,
    model: flags.model ?? (env.TURNKIT_MODEL || undefined),
  });
  return {
    models,
    mode: flags.mode ?? config.mode ?? "ask",
    effort: flags.effort ?? config.effort,
    maxRequests: flags.maxRequests ?? config.maxRequests ?? MAX_REQUESTS,
    compactAt: config.compactAt ?? COMPACT_AT,
    fetch: config.fetch ?? false,
    keyVariables: Object.values(config.providers ?? {}).flatMap(({ keyVariable }) => keyVariable ?? []),
  };
}

/**
 * Reads the user's configuration, or the file that the command line names. The user's own need not exist; one that was
 * named must. The schema is loaded only where there is something to read.
 *
 * @throws ConfigError for a file that cannot be read or used
 */
export async function readConfig(
  { config: named }: Pick<Flags, "config">,
  env: NodeJS.ProcessEnv = process.env,
): Promise<Config> {
  const path = named ?? join(configFolder(env), "agent.json");
  const text = await readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT" && named === undefined) return undefined;
    throw new ConfigError(`${path} cannot be read: ${error.code === "ENOENT" ? "it does not exist" : error.message}.`);
  });
  if (text === undefined) return {};
  const { parseConfig } = await import("./config.js");
  return parseConfig(text, path);
}
