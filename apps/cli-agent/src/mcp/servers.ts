import type { McpServer } from "@turnkit/agent";
import { messageOf } from "../errors.js";
import type { Tool } from "../tools/tool.js";
import type { ConnectOptions, McpConnection } from "./connection.js";
import { toolsOf } from "./mcp-tool.js";

/** Maximum number of servers that are added together. */
const MAX_SERVERS = 50;
const MAX_INSTRUCTIONS_LENGTH = 4000;

/** Server that failed at its start or later. The user may see the `reason`. */
export type McpFailure = { readonly server: string; readonly reason: string };

/** Folders, signal and failure listener for the servers. All connections close when the signal aborts. */
type McpOptions = Pick<ConnectOptions, "place" | "signal"> & { readonly onFailure: (failure: McpFailure) => void };

type Entry = {
  readonly server: McpServer;
  /** `true` if the server can start without a question. */
  readonly mayStart: Promise<boolean>;
  /** Answers the question about trust; present while the server waits for it. */
  decide?: (isTrusted: boolean) => void;
  connection?: McpConnection;
  /** `true` when the server is connected or has failed. */
  isSettled: boolean;
};

/**
 * Creates the MCP servers of one session. They come from several places, and can be added at different times. A failure of
 * one server is reported, and does not affect the other servers.
 */
export function createMcpServers({ place, signal: sessionSignal, onFailure }: McpOptions) {
  const entries: Entry[] = [];
  const starts: Promise<void>[] = [];
  const names = new Set<string>();
  const closing = new AbortController();
  const signal = AbortSignal.any([sessionSignal, closing.signal]);
  const report = (server: string, reason: string) => {
    if (!signal.aborted) onFailure({ server, reason });
  };
  const mayStart = async (server: McpServer, known: Promise<boolean>): Promise<boolean> => {
    const { needsTrust } = await import("./server-start.js");
    return !(await needsTrust(server, place)) || known;
  };
  const connect = async (entry: Entry): Promise<void> => {
    const { server } = entry;
    try {
      if (!(await entry.mayStart)) {
        signal.throwIfAborted();
        const isTrusted = await new Promise<boolean>((resolve) => {
          entry.decide = resolve;
        });
        entry.decide = undefined;
        if (!isTrusted) throw new Error("its program could run files of a folder that you do not trust");
      }
      signal.throwIfAborted();
      const { connectMcpServer } = await import("./connection.js");
      const onEnded = (reason: string) => report(server.name, reason);
      entry.connection = await connectMcpServer(server, { place, signal, onEnded });
      if (signal.aborted) await entry.connection.close();
    } catch (error) {
      report(server.name, messageOf(error));
    } finally {
      entry.isSettled = true;
    }
  };
  const decide = (isTrusted: boolean): void => {
    for (const entry of entries) entry.decide?.(isTrusted);
  };
  const ready = async (): Promise<void> => void (await Promise.all(starts));
  const close = async (): Promise<void> => {
    closing.abort();
    decide(false);
    await Promise.all(entries.map(({ connection }) => connection?.close()));
    await ready();
  };
  sessionSignal.addEventListener("abort", () => void close(), { once: true });
  const connected = () => entries.flatMap(({ connection }) => connection ?? []);
  return {
    /**
     * Connects to servers at the same time, and does not wait for them. A server with the name of an earlier one is left
     * out. A server that could run files of a folder that is not trusted waits for {@link decide}.
     *
     * @param isTrusted returns `true` if the user has trusted the folder before
     */
    add(servers: readonly McpServer[], isTrusted: () => Promise<boolean>): void {
      const fresh = servers.filter(({ name }) => !names.has(name));
      if (fresh.length === 0) return;
      const known = isTrusted().catch(() => false);
      for (const { name } of fresh) names.add(name);
      for (const server of fresh.slice(0, MAX_SERVERS)) {
        const entry = { server, mayStart: mayStart(server, known), isSettled: false };
        entries.push(entry);
        starts.push(connect(entry));
      }
      for (const { name } of fresh.slice(MAX_SERVERS)) {
        onFailure({ server: name, reason: `a session has at most ${MAX_SERVERS} servers` });
      }
    },
    /** Resolves when every server is connected or has failed, after at most 30 s. Never rejects. */
    ready,
    /** Returns `true` if a server waits for the user's trust in the folder. */
    async needTrust(): Promise<boolean> {
      await Promise.allSettled(entries.map((entry) => entry.mayStart));
      return entries.some((entry) => entry.decide !== undefined);
    },
    /** Starts the servers that wait for trust. Without trust, reports them as failed. */
    decide,
    /** Returns the names of all servers, also of those that are not connected. */
    names: (): readonly string[] => [...names],
    starting: () => entries.flatMap((entry) => (entry.isSettled || entry.decide ? [] : entry.server.name)),
    /** Returns the tools of the connected servers. Their names differ from all names in `taken`. */
    tools(taken: readonly string[]): readonly Tool[] {
      const used = new Set(taken);
      return connected().flatMap((connection) => toolsOf(connection, used));
    },
    instructions: () =>
      connected()
        .filter(({ instructions }) => instructions)
        .map((one) => `The MCP server ${one.name} says:\n${one.instructions?.slice(0, MAX_INSTRUCTIONS_LENGTH)}`)
        .join("\n\n"),
    close,
  };
}
