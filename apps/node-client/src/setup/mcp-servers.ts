import { dirname, resolve } from "node:path";
import type { McpServer } from "@turnkit/client";
import { isPackageRunner } from "@turnkit/session/command";
import { findProgram, safeEnvironment } from "@turnkit/transport/node";
import { runnerFolder } from "../agents/runner-folder.js";
import { UsageError } from "../exit-code.js";
import { type JsonValue, requireJsonFile } from "./json-file.js";

type StdioServer = Extract<McpServer, { type: "stdio" }>;
type NamedValue = { readonly name: string; readonly value: string };

/**
 * Reads the MCP servers of JSON files. A file has one of these forms:
 * - one server in the form of the protocol;
 * - a list of such servers;
 * - `{ "mcpServers": { "name": … } }`, as in the settings of editors.
 *
 * `${NAME}` and `${NAME:-default}` stand for environment variables, so a file need not contain secrets.
 *  `${workspaceFolder}` stands for the directory of the session. The path of each program becomes absolute. Package
 *  runners start in a folder of turnkit.
 *
 * @throws UsageError with the file and the place of the fault
 */
export async function readMcpServers(files: readonly string[], context: StartContext): Promise<readonly McpServer[]> {
  const servers: McpServer[] = [];
  const env = { ...context.env, workspaceFolder: context.directory };
  for (const file of files) {
    for (const server of serversIn(await requireJsonFile("--mcp", file), env)) {
      if (servers.some(({ name }) => name === server.name)) {
        throw new UsageError(`${file}: there is another MCP server with the name ${server.name}.`);
      }
      servers.push(server.type === "stdio" ? await startable(server, file, context) : server);
    }
  }
  return servers;
}

/** Environment of this program and directory of the session. */
type StartContext = { readonly env: NodeJS.ProcessEnv; readonly directory: string };

/** Returns a server with the absolute path of its program. Programs inside the session's project are not used. */
async function startable(server: StdioServer, file: string, { env, directory }: StartContext): Promise<StdioServer> {
  const { name, command, args = [] } = server;
  // A relative path is relative to the JSON file, because the agent may run in any folder.
  const wanted = /[\\/]/.test(command) ? resolve(dirname(file), command) : command;
  const program = await findProgram(wanted, { env: safeEnvironment(env, directory) });
  if (program === undefined)
    throw new UsageError(`${file}: ${name}: there is no program ${wanted} outside of the project.`);
  if (!isPackageRunner([program, ...args])) return { ...server, command: program };
  if (process.platform === "win32") {
    throw new UsageError(
      `${file}: ${name}: ${command} reads the project's files: install the server, and name its program.`,
    );
  }
  const folder = runnerFolder(env, directory);
  return { ...server, command: "/bin/sh", args: ["-c", 'cd "$0" && exec "$@"', folder, program, ...args] };
}

function serversIn(file: JsonValue, env: NodeJS.ProcessEnv): readonly McpServer[] {
  if (Array.isArray(file.value)) return file.items().map((item) => readServer(undefined, item, env));
  const list = file.members().get("mcpServers");
  if (list === undefined) return [readServer(undefined, file, env)];
  if (Array.isArray(list.value)) return list.items().map((item) => readServer(undefined, item, env));
  return [...list.members()].map(([name, entry]) => readServer(name, entry, env));
}

/** Reads one server of a file. Unknown members may belong to other programs, so they are ignored. */
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

/** Reads variables or headers. They are an object, or pairs of name and value as in the protocol. */
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
    if (value === undefined) throw new UsageError(`${text.place}: the environment variable ${name} is not set.`);
    return value;
  });
}
