import { join } from "node:path";
import { configurationFolder } from "@turnkit/node-client/user-folders";
import type { PathRules } from "@turnkit/session/paths";
import { ConfigError } from "../errors.js";
import type { ModelList } from "../models/model-list.js";
import { listOllamaModels } from "../models/ollama.js";
import type { Mode } from "../modes.js";
import type { SandboxMode } from "../sandbox/sandbox.js";
import type { Config } from "./config.js";
import { type Flags, requireUrl } from "./flags.js";
import { readKeys } from "./keys.js";
import { readOwnFile } from "./own-file.js";
import type { ProjectPart } from "./project-part.js";

export type Settings = {
  readonly models: ModelList;
  readonly mode: Mode;
  readonly effort?: string;
  readonly maxRequests: number;
  /** Fill of the context window at which a conversation is compacted, as a share from 0 to 1. */
  readonly compactAt: number;
  readonly fetch: boolean;
  /** Default of the session option that allows the provider to search the web. */
  readonly webSearch: boolean;
  /** Trusts every folder that a session opens. */
  readonly trust: boolean;
  readonly sandbox: SandboxMode;
  /** `true` allows the network for all commands in the sandbox. */
  readonly network: boolean;
  /** Additional rules for protected and secret files. */
  readonly paths: Partial<PathRules>;
  /** Environment variables that hold keys, according to the configuration. Commands do not get these variables. */
  readonly keyVariables: readonly string[];
  /** MCP servers, permission rules and hooks of the user. */
  readonly own: ProjectPart;
};

const MAX_REQUESTS = 50;

/** Default of {@link Settings.compactAt}. The remaining 20 % is for the answer and for outputs of tools. */
const COMPACT_AT = 0.8;

/**
 * Combines the command line, the environment and the user's files, in this order of precedence.
 *
 * @throws ConfigError for an invalid value; the message says where the value is
 */
export async function loadSettings(flags: Flags, env: NodeJS.ProcessEnv = process.env): Promise<Settings> {
  const folder = configurationFolder(env);
  const reading = readConfig(flags, env);
  const [config, keys, ollamaModels, { createModelList }] = await Promise.all([
    reading,
    readKeys(folder),
    reading.then(({ providers }) => listOllamaModels(providers?.ollama?.baseURL)),
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
    ollamaModels,
  });
  return {
    models,
    mode: flags.mode ?? config.mode ?? "ask",
    effort: flags.effort ?? config.effort,
    maxRequests: flags.maxRequests ?? config.maxRequests ?? MAX_REQUESTS,
    compactAt: config.compactAt ?? COMPACT_AT,
    fetch: config.fetch ?? false,
    webSearch: config.webSearch ?? false,
    trust: flags.trust ?? false,
    sandbox: flags.sandbox ?? config.sandbox ?? "auto",
    network: flags.network ?? config.network ?? false,
    paths: config.paths ?? {},
    keyVariables: Object.values(config.providers ?? {}).flatMap(({ keyVariable }) => keyVariable ?? []),
    own: { mcpServers: config.mcpServers, permissions: config.permissions, hooks: config.hooks },
  };
}

/**
 * Reads the user's configuration, or the file that the command line names. The user's configuration may be missing; a
 * named file must exist. The schema is loaded only if a file exists.
 *
 * @throws ConfigError for a file that is unreadable or invalid
 */
export async function readConfig(
  { config: named }: Pick<Flags, "config">,
  env: NodeJS.ProcessEnv = process.env,
): Promise<Config> {
  const path = named ?? join(configurationFolder(env), "agent.json");
  const text = await readOwnFile(path);
  if (text === undefined && named !== undefined) throw new ConfigError(`${path} cannot be read: it does not exist.`);
  if (text === undefined) return {};
  const { parseConfig } = await import("./config.js");
  return parseConfig(text, path);
}
