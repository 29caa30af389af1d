import type { McpServer } from "@turnkit/agent";
import { messageOf, type Tool } from "../tools/tool.js";
import type { McpConnection } from "./connection.js";
import { toolsOf } from "./mcp-tool.js";

/** More servers than that are not connected to. */
const MAX_SERVERS = 50;
const MAX_INSTRUCTIONS_LENGTH = 4000;

/** A server that cannot be used, or not any more; `reason` may be shown. */
export type McpFailure = { readonly server: string; readonly reason: string };

/** The MCP servers of one session. */
export interface McpServers {
  /** Settles when every server is connected or has failed, in at most half a minute; never rejects. */
  readonly ready: Promise<void>;
  /** Names of those that have neither connected nor failed yet. */
  starting(): readonly string[];
  /** What the servers that are connected offer at this moment, under names that are not among `taken`. */
  tools(taken: readonly string[]): readonly Tool[];
  /** What the servers want models to know of them. */
  instructions(): string | undefined;
  /** Ends the connections, and every process with all that it started. */
  close(): Promise<void>;
}

/** Where servers run, how long, and who hears of failures. */
export type McpOptions = {
  readonly cwd: string;
  /** Closes all of them. */
  readonly signal: AbortSignal;
  readonly onFailure: (failure: McpFailure) => void;
};

/**
 * Connects to the servers that a client named for a session, all at the same time and without holding the session up. One
 * that fails is reported and does no harm to the others.
 */
export function connectMcpServers(servers: readonly McpServer[], options: McpOptions): McpServers {
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
  /** In the order in which the client named them, whichever was faster. */
  const connected = () => servers.flatMap((server) => connections.get(server) ?? []);
  return {
    ready,
    starting: () => [...starting].map(({ name }) => name),
    tools(taken) {
      const names = new Set(taken);
      return connected().flatMap((connection) => toolsOf(connection, names));
    },
    instructions() {
      const texts = connected().flatMap(({ name, instructions }) => {
        return instructions ? `The MCP server ${name} says:\n${instructions.slice(0, MAX_INSTRUCTIONS_LENGTH)}` : [];
      });
      return texts.length === 0 ? undefined : texts.join("\n\n");
    },
    close,
  };
}
