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
type McpOptions = Pick<ConnectOptions, "cwd" | "signal"> & {
  readonly onFailure: (failure: McpFailure) => void;
  /** Returns `true` if the user has trusted the folder before. */
  readonly isTrusted: () => Promise<boolean>;
};

/**
 * Connects to all MCP servers of a session at the same time. The session does not wait for them. A failure of one
 * server is reported, and does not affect the other servers. If a server could run files of a folder that is not
 * trusted, it waits for `decide`.
 */
export function connectMcpServers(servers: readonly McpServer[], options: McpOptions) {
  const connections = new Map<McpServer, McpConnection>();
  const starting = new Set(servers.slice(0, MAX_SERVERS));
  const closing = new AbortController();
  const signal = AbortSignal.any([options.signal, closing.signal]);
  const waiting = new Set<McpServer>();
  let decide: (isTrusted: boolean) => void = () => {};
  const decision = new Promise<boolean>((resolve) => {
    decide = resolve;
  });
  const known = options.isTrusted().catch(() => false);
  const mayStart = async (server: McpServer): Promise<boolean> => {
    const { needsTrust } = await import("./server-start.js");
    return !(await needsTrust(server, options.cwd)) || known;
  };
  const connect = async (server: McpServer, sorted: Promise<boolean>): Promise<void> => {
    const report = (reason: string) => {
      if (!signal.aborted) options.onFailure({ server: server.name, reason });
    };
    try {
      if (!(await sorted)) {
        waiting.add(server);
        if (!(await decision)) throw new Error("its program could run files of a folder that you do not trust");
        waiting.delete(server);
      }
      signal.throwIfAborted();
      const { connectMcpServer } = await import("./connection.js");
      const connection = await connectMcpServer(server, { cwd: options.cwd, signal, onEnded: report });
      connections.set(server, connection);
      if (signal.aborted) await connection.close();
    } catch (error) {
      report(messageOf(error));
    } finally {
      waiting.delete(server);
      starting.delete(server);
    }
  };
  for (const { name } of servers.slice(MAX_SERVERS)) {
    options.onFailure({ server: name, reason: `a session has at most ${MAX_SERVERS} servers` });
  }
  const sorting = [...starting].map((server) => [server, mayStart(server)] as const);
  const ready = Promise.all(sorting.map(([server, sorted]) => connect(server, sorted))).then(() => undefined);
  const close = async (): Promise<void> => {
    closing.abort();
    decide(false);
    await Promise.all([...connections.values()].map((connection) => connection.close()));
    await ready;
  };
  options.signal.addEventListener("abort", () => void close(), { once: true });
  const connected = () => servers.flatMap((server) => connections.get(server) ?? []);
  return {
    /** Resolves when every server is connected or has failed, after at most 30 s. Never rejects. */
    ready,
    /** Returns `true` if a server waits for the user's trust in the folder. */
    async needTrust(): Promise<boolean> {
      await Promise.allSettled(sorting.map(([, sorted]) => sorted));
      return waiting.size > 0;
    },
    /** Starts the servers that wait for trust. Without trust, reports them as failed. Only the first call counts. */
    decide,
    /** Returns the names of the servers that are still connecting. */
    starting: () => [...starting].filter((server) => !waiting.has(server)).map(({ name }) => name),
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
