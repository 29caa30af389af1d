import { join } from "node:path";
import { UsageError } from "../exit-code.js";
import { JsonValue, readJsonFile, writeJsonFile } from "../setup/json-file.js";
import { configurationFolder } from "../setup/user-folders.js";
import { type WrittenServer, writtenServers } from "./read-servers.js";

/** Returns the path of the user's file with MCP servers: `mcp.json` in the configuration folder. */
export function serverFile(env: NodeJS.ProcessEnv): string {
  return join(configurationFolder(env), "mcp.json");
}

/**
 * Reads the servers of the user's file. A file that does not exist has no servers.
 *
 * @throws UsageError with the file and the place of the fault
 */
export async function readUserServers(env: NodeJS.ProcessEnv): Promise<readonly WrittenServer[]> {
  const file = await readJsonFile(serverFile(env));
  return file === undefined ? [] : writtenServers(file);
}

/**
 * Adds a server to the user's file. Values are stored unchanged, so references such as `${NAME}` are not replaced.
 *
 * @throws UsageError if a server has this name, or if the file or the server is not valid
 */
export async function addUserServer(env: NodeJS.ProcessEnv, name: string, server: object): Promise<void> {
  await changeServers(env, (servers) => {
    if (servers.has(name)) {
      throw new UsageError(`mcp add: there is an MCP server ${name}. Remove it first: turnkit mcp remove ${name}`);
    }
    servers.set(name, server);
  });
}

/**
 * Removes servers from the user's file.
 *
 * @throws UsageError if no server has one of the names
 */
export async function removeUserServers(env: NodeJS.ProcessEnv, names: readonly string[]): Promise<void> {
  await changeServers(env, (servers) => {
    for (const name of names) {
      if (servers.delete(name)) continue;
      throw new UsageError(`mcp remove: there is no MCP server ${name} in ${serverFile(env)}. See turnkit mcp list.`);
    }
  });
}

/** Changes the servers in the file, and keeps the other members of the file unchanged. */
async function changeServers(env: NodeJS.ProcessEnv, edit: (servers: Map<string, unknown>) => void): Promise<void> {
  const path = serverFile(env);
  const file = await readJsonFile(path);
  const members = file?.members() ?? new Map<string, JsonValue>();
  const found = members.get("mcpServers");
  if (found === undefined && members.size > 0) {
    throw new UsageError(`${path} has no "mcpServers". Write its servers as { "mcpServers": { "name": … } }.`);
  }
  const servers = new Map([...(found?.members() ?? [])].map(([name, { value }]) => [name, value] as const));
  edit(servers);
  const document = { ...(file?.value as object | undefined), mcpServers: Object.fromEntries(servers) };
  writtenServers(new JsonValue(document, `${path}:`));
  await writeJsonFile(path, document);
}
