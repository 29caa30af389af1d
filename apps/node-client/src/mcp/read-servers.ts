import { dirname, resolve } from "node:path";
import type { McpServer } from "@turnkit/client";
import type { NamedValue } from "@turnkit/session";
import { isPackageRunner } from "@turnkit/session/command";
import { findProgram } from "@turnkit/transport/node";
import { runnerFolder } from "../agents/runner-folder.js";
import { closestWords } from "../closest-words.js";
import { UsageError } from "../exit-code.js";
import { type JsonValue, requireJsonFile } from "../setup/json-file.js";

/** MCP server as a file contains it. References such as `${NAME}` are not replaced. */
export type WrittenServer = (StdioServer | Extract<McpServer, { type: "http" | "sse" }>) & {
  /** `true` for a server that the file switches off. */
  readonly isDisabled?: boolean;
  /** Member that changes the start of the server, and that turnkit does not support. */
  readonly unsupported?: string;
};

type StdioServer = Extract<McpServer, { type: "stdio" }>;

const MAX_SERVERS = 50;

export type StartContext = { readonly env: NodeJS.ProcessEnv; readonly directory: string };

/**
 * Reads the MCP servers of the files of `--mcp`, with {@link writtenServers} and {@link startableServer}.
 *
 * @throws UsageError with the file and the place of the fault
 */
export async function readMcpServers(files: readonly string[], context: StartContext): Promise<readonly McpServer[]> {
  const servers: McpServer[] = [];
  for (const file of files) {
    for (const server of writtenServers(await requireJsonFile("--mcp", file))) {
      if (server.isDisabled) continue;
      if (servers.some(({ name }) => name === server.name)) {
        throw new UsageError(`${file}: there is another MCP server with the name ${server.name}.`);
      }
      servers.push(await startableServer(server, file, context));
    }
  }
  return servers;
}

/**
 * Returns the servers of a JSON file. A file has one of these forms:
 * - one server in the form of the protocol;
 * - a list of such servers;
 * - `{ "mcpServers": { "name": … } }`, as in the settings of editors.
 *
 * @throws UsageError with the file and the place of the fault
 */
export function writtenServers(file: JsonValue): readonly WrittenServer[] {
  const servers = serversIn(file);
  if (servers.length > MAX_SERVERS) throw file.fail(`a file with at most ${MAX_SERVERS} MCP servers`);
  const twice = servers.find(({ name }, index) => servers.findIndex((one) => one.name === name) !== index);
  if (twice !== undefined) throw file.fail(`a file with one server of the name ${twice.name}`);
  return servers;
}

/**
 * Returns a server that an agent can start. `${NAME}` and `${NAME:-default}` are replaced with environment variables,
 * and `${workspaceFolder}` with the directory of the session. The path of a program becomes absolute. Package runners
 * start in a folder of turnkit. Programs inside the session's project are not used.
 *
 * @param file path of the file with the server
 * @throws UsageError with the file and the name of the server, but without values of variables
 */
export async function startableServer(server: WrittenServer, file: string, context: StartContext): Promise<McpServer> {
  const env = { ...context.env, workspaceFolder: context.directory };
  const { name } = server;
  const place = `${file}: ${name}`;
  const { unsupported } = server;
  if (unsupported !== undefined) {
    throw new UsageError(
      `${place}: the member "${unsupported}" is not supported. Without it, the server could work on other files.`,
    );
  }
  const fill = (text: string) => expanded(text, env, place);
  const fillAll = (pairs: readonly NamedValue[] = []) =>
    pairs.map((pair) => ({ name: pair.name, value: fill(pair.value) }));
  if (server.type === "stdio") {
    const { command, args = [] } = server;
    const filled: StdioServer = {
      ...{ type: "stdio", name, command: fill(command), args: args.map(fill) },
      env: fillAll(server.env),
    };
    return startable(filled, file, context);
  }
  const url = fill(server.url);
  if (!isServerUrl(url)) {
    throw new UsageError(`${place}: ${server.url} must be a complete URL of http or https.`);
  }
  return { type: server.type, name, url, headers: fillAll(server.headers) };
}

export function isServerUrl(text: string): boolean {
  return /^https?:/i.test(text) && URL.canParse(text);
}

/** Returns a server with the absolute path of its program. Programs inside the session's project are not used. */
async function startable(server: StdioServer, file: string, { env, directory }: StartContext): Promise<StdioServer> {
  const { name, command, args = [] } = server;
  // A relative path is relative to the JSON file, because the agent may run in any folder.
  const wanted = /[\\/]/.test(command) ? resolve(dirname(file), command) : command;
  const program = await findProgram(wanted, { env, distrusted: [directory], isChosen: true });
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

function serversIn(file: JsonValue): readonly WrittenServer[] {
  if (Array.isArray(file.value)) return file.items().map((item) => readServer(undefined, item));
  const list = file.members().get("mcpServers");
  if (list === undefined) {
    if (OF_A_SERVER.some((name) => file.members().has(name))) return [readServer(undefined, file)];
    throw file.fail('an object with "mcpServers", or one server with a "name" and a "command" or a "url"');
  }
  if (Array.isArray(list.value)) return list.items().map((item) => readServer(undefined, item));
  return [...list.members()].map(([name, entry]) => readServer(name, entry));
}

/** Members that only a server has. */
const OF_A_SERVER = ["name", "command", "url"] as const;

/** Members of a server that have an effect. */
const KNOWN = [...OF_A_SERVER, "type", "args", "env", "headers", "disabled", "enabled"] as const;

/** Members of other programs with which a server starts in another way. */
const UNSUPPORTED = ["cwd", "envFile"] as const;

/**
 * Reads one server of a file. Other unknown members than misspelled ones may belong to other programs, so they are
 * ignored.
 */
function readServer(key: string | undefined, entry: JsonValue): WrittenServer {
  const members = entry.members();
  for (const [name, { place }] of members) {
    if ((KNOWN as readonly string[]).includes(name)) continue;
    const meant = closestWords(name, KNOWN).find((one) => !members.has(one));
    if (meant !== undefined) throw new UsageError(`${place} is unknown. Write "${meant}".`);
  }
  const isDisabled = isTrue(members.get("disabled"), false) || !isTrue(members.get("enabled"), true);
  const unsupported = UNSUPPORTED.find((name) => members.has(name));
  const more = { ...(isDisabled && { isDisabled }), ...(unsupported !== undefined && { unsupported }) };
  return { ...readStart(key, entry), ...more };
}

function isTrue(flag: JsonValue | undefined, usual: boolean): boolean {
  if (flag === undefined) return usual;
  if (typeof flag.value !== "boolean") throw flag.fail("true or false");
  return flag.value;
}

/** Reads what starts a server, or its URL. */
function readStart(key: string | undefined, entry: JsonValue): WrittenServer {
  const members = entry.members();
  const text = (name: string) => members.get(name)?.maybeEmptyText();
  const name = key ?? text("name");
  if (name === undefined) throw entry.fail('an object with a "name"');
  const command = text("command");
  const url = text("url");
  const type = text("type") ?? (command === undefined && url !== undefined ? "http" : "stdio");
  switch (type) {
    case "stdio": {
      if (command === undefined) throw entry.fail('an object with a "command" or a "url"');
      const args = members.get("args")?.items() ?? [];
      return { type, name, command, args: args.map((arg) => arg.maybeEmptyText()), env: named(members.get("env")) };
    }
    case "http":
    case "streamable-http":
    case "sse":
      if (url === undefined) throw entry.fail('an object with a complete "url"');
      return { type: type === "sse" ? "sse" : "http", name, url, headers: named(members.get("headers")) };
    default:
      throw (members.get("type") ?? entry).fail("stdio, http or sse");
  }
}

/** Reads variables or headers. They are an object, or pairs of name and value as in the protocol. */
function named(list: JsonValue | undefined): readonly NamedValue[] {
  if (list === undefined) return [];
  if (!Array.isArray(list.value)) {
    return [...list.members()].map(([name, value]) => ({ name, value: value.maybeEmptyText() }));
  }
  return list.items().map((item) => {
    const members = item.members();
    const [name, value] = [members.get("name"), members.get("value")];
    if (name === undefined || value === undefined) throw item.fail('an object with "name" and "value"');
    return { name: name.text(), value: value.maybeEmptyText() };
  });
}

/** Reference to an environment variable, with an optional default. The bounds keep the search linear. */
const REFERENCE = /\$\{(\w{1,200})(?::-([^}]{0,2000}))?\}/g;

function expanded(text: string, env: NodeJS.ProcessEnv, place: string): string {
  return text.replace(REFERENCE, (_, name: string, usual: string | undefined) => {
    const value = (Object.hasOwn(env, name) ? env[name] : undefined) ?? usual;
    if (value === undefined) throw new UsageError(`${place}: the environment variable ${name} is not set.`);
    return value;
  });
}
