import type { McpServer } from "@turnkit/client";
import { UsageError } from "../exit-code.js";
import { type JsonValue, requireJsonFile } from "./json-file.js";

type NamedValue = { readonly name: string; readonly value: string };

/**
 * Reads the MCP servers of JSON files. A file holds one server as the protocol writes it, a list of them, or `{
 * "mcpServers": { "name": … } }` as editors write it. `${NAME}` and `${NAME:-default}` stand for environment variables,
 * so that no secret has to be in the file.
 *
 * @throws UsageError that names the file and the place of a fault
 */
export async function readMcpServers(files: readonly string[], env: NodeJS.ProcessEnv): Promise<readonly McpServer[]> {
  const servers: McpServer[] = [];
  for (const file of files) {
    for (const server of serversIn(await requireJsonFile("--mcp", file), env)) {
      if (servers.some(({ name }) => name === server.name)) {
        throw new UsageError(`${file}: there is another MCP server with the name ${server.name}.`);
      }
      servers.push(server);
    }
  }
  return servers;
}

function serversIn(file: JsonValue, env: NodeJS.ProcessEnv): readonly McpServer[] {
  if (Array.isArray(file.value)) return file.items().map((item) => readServer(undefined, item, env));
  const list = file.members().get("mcpServers");
  if (list === undefined) return [readServer(undefined, file, env)];
  if (Array.isArray(list.value)) return list.items().map((item) => readServer(undefined, item, env));
  return [...list.members()].map(([name, entry]) => readServer(name, entry, env));
}

/** Reads one server. Unknown members belong to other programs and are ignored. */
function readServer(key: string | undefined, entry: JsonValue, env: NodeJS.ProcessEnv): McpServer {
  const members = entry.members();
  const text = (name: string) => {
    const found = members.get(name);
    return found && expanded(found, env);
  };
  const name = key ?? text("name");
  if (name === undefined) throw entry.fail('an object with a "name"');
  const command = text("command");
  const url = text("url");
  const type = text("type") ?? (command === undefined && url !== undefined ? "http" : "stdio");
  switch (type) {
    case "stdio": {
      if (command === undefined) throw entry.fail('an object with a "command" or a "url"');
      const args = members.get("args")?.items() ?? [];
      const env_ = named(members.get("env"), env);
      return { type, name, command, args: args.map((arg) => expanded(arg, env)), env: env_ };
    }
    case "http":
    case "streamable-http":
    case "sse": {
      if (url === undefined || !URL.canParse(url)) throw entry.fail('an object with a complete "url"');
      return { type: type === "sse" ? "sse" : "http", name, url, headers: named(members.get("headers"), env) };
    }
    default:
      throw (members.get("type") ?? entry).fail("stdio, http or sse");
  }
}

/** Reads variables or headers: an object, or pairs of name and value as the protocol writes them. */
function named(list: JsonValue | undefined, env: NodeJS.ProcessEnv): readonly NamedValue[] {
  if (list === undefined) return [];
  if (!Array.isArray(list.value)) {
    return [...list.members()].map(([name, value]) => ({ name, value: expanded(value, env) }));
  }
  return list.items().map((item) => {
    const members = item.members();
    const [name, value] = [members.get("name"), members.get("value")];
    if (name === undefined || value === undefined) throw item.fail('an object with "name" and "value"');
    return { name: name.text(), value: expanded(value, env) };
  });
}

function expanded(text: JsonValue, env: NodeJS.ProcessEnv): string {
  return text.maybeEmptyText().replace(/\$\{(\w+)(?::-([^}]*))?\}/g, (_, name: string, usual: string | undefined) => {
    const value = env[name] ?? usual;
    if (value === undefined) throw new UsageError(`${text.place}: the environment has no ${name}.`);
    return value;
  });
}
