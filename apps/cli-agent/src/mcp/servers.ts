import type { McpServer } from "@turnkit/agent";
import { messageOf } from "../errors.js";
import type { Tool } from "../tools/tool.js";
import type { ConnectOptions, McpConnection } from "./connection.js";
import { toolsOf } from "./mcp-tool.js";

const MAX_SERVERS = 50;
const MAX_INSTRUCTIONS_LENGTH = 4000;

/** Server that failed at its start or later. The user may see the `reason`. */
export type McpFailure = { readonly server: string; readonly reason: string };

/** Working folder, signal and failure listener for the servers. All connections close when the signal aborts. */
type McpOptions = Pick<ConnectOptions, "cwd" | "signal"> & { readonly onFailure: (failure: McpFailure) => void };

/**
 * Connects to all MCP servers of a session at the same time. The session does not wait for them. A failure of one
 * server is reported, and does not affect the other servers.
 */
export function connectMcpServers(servers: readonly McpServer[], options: McpOptions) {
  const connections = new Map<McpServer, McpConnection>();
  const starting = new Set(servers.slice(0, MAX_SERVERS));
  const closing = new AbortController();
  const signal = AbortSignal.any([options.signal, closing.signal]);
  const connect = async (server: McpServer): Promise<void> => {
    const report = (reason: string) => {
      if (!signal.aborted) options.onFailure({ server: server.name, reason });
    };
    try {
      const { connectMcpServer } = await import("./connection.js");
      const connection = await connectMcpServer(server, { cwd: options.cwd, signal, onEnded: report });
      connections.set(server, connection);
      if (signal.aborted) await connection.close();
    } catch (error) {
      report(messageOf(error));
    } finally {
      starting.delete(server);
    }
  };
  for (const { name } of servers.slice(MAX_SERVERS)) {
    options.onFailure({ server: name, reason: `a session has at most ${MAX_SERVERS} servers` });
  }
  const ready = Promise.all([...starting].map(connect)).then(() => undefined);
  const close = async (): Promise<void> => {
    closing.abort();
    await Promise.all([...connections.values()].map((connection) => connection.close()));
    await ready;
  };
  options.signal.addEventListener("abort", () => void close(), { once: true });
  const connected = () => servers.flatMap((server) => connections.get(server) ?? []);
  return {
    /** Resolves when every server is connected or has failed, after at most 30 s. Never rejects. */
    ready,
    /** Returns the names of the servers that are still connecting. */
    starting: () => [...starting].map(({ name }) => name),
    /** Returns the tools of the connected servers. Their names differ from all names in `taken`. */
    tools(taken: readonly string[]): readonly Tool[] {
      const names = new Set(taken);
      return connected().flatMap((connection) => toolsOf(connection, names));
    },
    /** Returns the instructions that the connected servers give to models. */
    instructions(): string {
      return connected()
        .filter(({ instructions }) => instructions)
        .map((one) => `The MCP server ${one.name} says:\n${one.instructions?.slice(0, MAX_INSTRUCTIONS_LENGTH)}`)
        .join("\n\n");
    },
    /** Closes the connections, and ends every server process with all its children. */
    close,
  };
}
