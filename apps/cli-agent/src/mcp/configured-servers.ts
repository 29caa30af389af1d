import type { McpServer } from "@turnkit/agent";
import type { ProjectPart } from "../config/project-part.js";
import { knownProviders } from "../models/known-providers.js";
import type { McpFailure } from "./servers.js";

type Variables = Readonly<Record<string, string | undefined>>;

/** Servers of `agent.json`. `missing` has a sentence for each server that needs a variable that does not exist. */
export type ConfiguredServers = { readonly servers: readonly McpServer[]; readonly missing: readonly McpFailure[] };

/**
 * Returns the servers of a configuration in the form of the protocol. `${NAME}` in a variable or header is the value of
 * that environment variable.
 *
 * @param keyVariables further variables with keys for models. No server gets such a key.
 */
export function configuredServers(
  { mcpServers = {} }: ProjectPart,
  env: Variables,
  keyVariables: readonly string[],
): ConfiguredServers {
  const secrets = [...keyVariables, ...knownProviders.map(({ keyVariable }) => keyVariable)];
  const servers: McpServer[] = [];
  const missing: McpFailure[] = [];
  for (const [name, config] of Object.entries(mcpServers)) {
    const absent = new Set<string>();
    const fill = (value: string) =>
      value.replace(/\$\{(\w+)\}/g, (_, variable: string) => {
        const isOffered = !secrets.includes(variable) && Object.hasOwn(env, variable);
        const found = isOffered ? env[variable] : undefined;
        if (found === undefined) absent.add(variable);
        return found ?? "";
      });
    const pairs = (values: Readonly<Record<string, string>> = {}) =>
      Object.entries(values).map(([key, value]) => ({ name: key, value: fill(value) }));
    const server: McpServer =
      "url" in config
        ? { type: config.type, name, url: config.url, headers: pairs(config.headers) }
        : { type: "stdio", name, command: config.command, args: config.args ?? [], env: pairs(config.env) };
    if (absent.size === 0) servers.push(server);
    else missing.push({ server: name, reason: `the environment has no variable for it: ${[...absent].join(", ")}` });
  }
  return { servers, missing };
}
