import { createHash } from "node:crypto";
import type { CallToolResult, Client, Tool as ListedTool, Transport } from "@modelcontextprotocol/client";
import type { McpServer } from "@turnkit/agent";
import { redactText } from "@turnkit/transport/trace";
import { messageOf } from "../errors.js";
import { version } from "../version.js";
import type { ServerPlace } from "./server-start.js";
import { ChannelTransport, openTransport } from "./transports.js";

/** Time limit from the start of a server until it has listed its tools, in milliseconds. */
const START_MS = 30_000;

/** Time limits of a tool call, in milliseconds: `SILENCE_MS` without any message, `CALL_MS` in total. */
const SILENCE_MS = 120_000;
const CALL_MS = 30 * 60_000;

/** Least time between two requests for the list of tools, in milliseconds. */
const REFRESH_MS = 1_000;

const MAX_TOOLS = 200;
const MAX_REASON_LENGTH = 500;

export type ConnectOptions = {
  readonly place: ServerPlace;
  /** Aborts the connection attempt. */
  readonly signal: AbortSignal;
  /** Called if the server ends before `close` was called. */
  readonly onEnded: (reason: string) => void;
};

/**
 * Connects to one server and requests the list of its tools.
 *
 * @throws Error with a reason that the user may see. The process of the server is stopped first.
 */
export async function connectMcpServer(server: McpServer, options: ConnectOptions): Promise<McpConnection> {
  const { place, signal, onEnded } = options;
  const deadline = AbortSignal.any([signal, AbortSignal.timeout(START_MS)]);
  const { Client } = await import("@modelcontextprotocol/client");
  const client = new Client({ name: "turnkit-agent", version }, { capabilities: {} });
  let transport: Transport | undefined;
  const close = async () => {
    await client.close().catch(() => undefined);
    await transport?.close().catch(() => undefined);
  };
  try {
    transport = await openTransport(server, place);
    const timing = { signal: deadline, timeout: START_MS };
    await client.connect(transport, timing);
    const connection = createMcpConnection(server, client, close);
    await connection.refresh(timing);
    client.onclose = () => connection.ended() && onEnded(endOf(transport, "the connection was closed"));
    return connection;
  } catch (error) {
    await close();
    const isLate = deadline.aborted && !signal.aborted;
    throw new Error(
      isLate ? `it did not answer within ${START_MS / 1000} seconds` : endOf(transport, messageOf(error)),
    );
  }
}

export type McpConnection = ReturnType<typeof createMcpConnection>;

/** Creates the connection to a server that has answered. `end` ends the server's process with all its children. */
export function createMcpConnection(server: McpServer, client: Client, end: () => Promise<void>) {
  let tools: readonly ListedTool[] = [];
  let closing: Promise<void> | undefined;
  /**
   * Zero while no request for the list runs. During a request: 1, plus the number of changes since the request began.
   */
  let changes = 0;
  const refresh = async (timing: { readonly signal?: AbortSignal; readonly timeout?: number } = {}): Promise<void> => {
    if (client.getServerCapabilities()?.tools === undefined) return;
    tools = (await client.listTools(undefined, timing)).tools.slice(0, MAX_TOOLS);
  };
  /**
   * Requests the list of tools again. At most one request runs at a time. Changes during a request, or within one
   * second after it, cause one more request.
   */
  const refreshOften = async (): Promise<void> => {
    changes += 1;
    if (changes > 1) return;
    while (changes > 0 && closing === undefined) {
      changes = 1;
      await refresh().catch(() => undefined);
      await new Promise<void>((resolve) => void setTimeout(resolve, REFRESH_MS).unref());
      changes -= 1;
    }
  };
  client.setNotificationHandler("notifications/tools/list_changed", () => void refreshOften());
  return {
    /** Name of the server, as the client sent it. */
    name: server.name,
    instructions: client.getInstructions(),
    /** First 200 tools of the server. The list may change while the server is connected. */
    get tools(): readonly ListedTool[] {
      return tools;
    },
    refresh,
    /** Removes all tools, because the server has ended. Returns `false` if `close` was called before. */
    ended(): boolean {
      if (closing === undefined) tools = [];
      return closing === undefined;
    },
    /**
     * Calls a tool of the server.
     *
     * @throws the error of the server or the connection; after an abort, the reason of the signal
     */
    call: (name: string, input: Record<string, unknown>, signal: AbortSignal): Promise<CallToolResult> =>
      client.callTool(
        { name, arguments: input },
        { signal, timeout: SILENCE_MS, resetTimeoutOnProgress: true, maxTotalTimeout: CALL_MS, onprogress: () => {} },
      ),
    /**
     * Returns a text that identifies the server and the current definition of a tool. Every change of the tool changes
     * the text.
     */
    definitionOf: (tool: ListedTool): string =>
      createHash("sha256")
        .update(JSON.stringify([server, tool]))
        .digest("hex"),
    /** Closes the connection, and ends the server's process with all its children. */
    close(): Promise<void> {
      closing ??= end();
      return closing;
    },
  };
}

/**
 * Returns the reason for the end of a server's process, or `otherwise` if there is none. The text is short and has no
 * secrets, because servers may print keys.
 */
function endOf(transport: Transport | undefined, otherwise: string): string {
  const safe = redactText((transport instanceof ChannelTransport && transport.ending) || otherwise);
  return safe.length > MAX_REASON_LENGTH ? `${safe.slice(0, MAX_REASON_LENGTH)}…` : safe;
}
