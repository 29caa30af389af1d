import type { CallToolResult, Client, Tool as ListedTool, Transport } from "@modelcontextprotocol/client";
import type { McpServer } from "@turnkit/agent";
import { spawnChannel } from "@turnkit/transport/node";
import { redactText } from "@turnkit/transport/trace";
import { messageOf } from "../tools/tool.js";
import { version } from "../version.js";
import { boundedFetch } from "./bounded-fetch.js";
import { ChannelTransport } from "./channel-transport.js";

/** How long a server may take from its start to its list of tools, in milliseconds. */
const START_MS = 30_000;

/** How long a tool may say nothing, and how long it may take as a whole, in milliseconds. */
const SILENCE_MS = 120_000;
const CALL_MS = 30 * 60_000;

/** How long a server may take to end by itself, and again to heed SIGTERM, in milliseconds. */
const GRACE_MS = 500;

const MAX_TOOLS = 200;
const MAX_REASON_LENGTH = 500;

/** Variables of this process that a server needs to run at all; everything else it gets from the client. */
const PASSED_ON =
  /^(?:PATH|PATHEXT|HOME|USER|LOGNAME|SHELL|TERM|LANG|LC_\w+|TZ|TMPDIR|TEMP|TMP|SYSTEMROOT|SYSTEMDRIVE|COMSPEC|APPDATA|LOCALAPPDATA|USERPROFILE|USERNAME|HOMEDRIVE|HOMEPATH|PROGRAMFILES|PROCESSOR_ARCHITECTURE)$/i;

/** A connected server. */
export interface McpConnection {
  readonly name: string;
  /** The first 200 of what it offers; it may change while the connection lasts. */
  readonly tools: readonly ListedTool[];
  /** What the server wants models to know of it. */
  readonly instructions: string | undefined;
  /** @throws what the server, or the way to it, answers with; or the reason of the signal */
  call(tool: string, input: Record<string, unknown>, signal: AbortSignal): Promise<CallToolResult>;
  /** Ends the connection, and the process where there is one, with everything that it started. */
  close(): Promise<void>;
}

/** What a connection needs. */
export type ConnectOptions = {
  /** Where the process of a server starts. */
  readonly cwd: string;
  /** Gives up connecting. */
  readonly signal: AbortSignal;
  /** The server ended although nobody closed the connection. */
  readonly onEnded: (reason: string) => void;
};

/**
 * Connects to one server and asks for its tools.
 *
 * @throws Error with a reason that may be shown; nothing is left running then
 */
export async function connectMcpServer(server: McpServer, options: ConnectOptions): Promise<McpConnection> {
  const deadline = AbortSignal.any([options.signal, AbortSignal.timeout(START_MS)]);
  const { Client } = await import("@modelcontextprotocol/client");
  const client = new Client({ name: "turnkit-agent", version }, { capabilities: {} });
  let transport: Transport | undefined;
  try {
    transport = await openTransport(server, options.cwd);
    const timing = { signal: deadline, timeout: START_MS };
    await client.connect(transport, timing);
    const connection = new ClientConnection(server.name, client, transport);
    await connection.refresh(timing);
    connection.watch(options.onEnded);
    return connection;
  } catch (error) {
    await client.close().catch(() => undefined);
    await transport?.close().catch(() => undefined);
    throw new Error(reasonOf(error, { deadline, signal: options.signal, transport }));
  }
}

class ClientConnection implements McpConnection {
  tools: readonly ListedTool[] = [];
  readonly instructions: string | undefined;
  readonly #client: Client;
  readonly #transport: Transport;
  #closing: Promise<void> | undefined;
  /** Of the list of tools, that were not asked about yet; the one that is being asked about counts. */
  #changes = 0;

  constructor(
    readonly name: string,
    client: Client,
    transport: Transport,
  ) {
    this.#client = client;
    this.#transport = transport;
    this.instructions = client.getInstructions();
    client.setNotificationHandler("notifications/tools/list_changed", () => void this.#refreshOften());
  }

  async refresh(timing: { readonly signal?: AbortSignal; readonly timeout?: number } = {}): Promise<void> {
    if (this.#client.getServerCapabilities()?.tools === undefined) return;
    this.tools = (await this.#client.listTools(undefined, timing)).tools.slice(0, MAX_TOOLS);
  }

  /** However often the list changes: one question at a time, and a last one when there was another change meanwhile. */
  async #refreshOften(): Promise<void> {
    this.#changes += 1;
    if (this.#changes > 1) return;
    while (this.#changes > 0) {
      this.#changes = 1;
      await this.refresh().catch(() => undefined);
      this.#changes -= 1;
    }
  }

  watch(onEnded: (reason: string) => void): void {
    this.#client.onclose = () => {
      if (this.#closing !== undefined) return;
      this.tools = [];
      onEnded(shorten(endingOf(this.#transport) ?? "the connection was closed"));
    };
  }

  async call(name: string, input: Record<string, unknown>, signal: AbortSignal): Promise<CallToolResult> {
    return this.#client.callTool(
      { name, arguments: input },
      { signal, timeout: SILENCE_MS, resetTimeoutOnProgress: true, maxTotalTimeout: CALL_MS, onprogress: () => {} },
    );
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    await this.#client.close().catch(() => undefined);
    await this.#transport.close().catch(() => undefined);
  }
}

async function openTransport(server: McpServer, cwd: string): Promise<Transport> {
  if (server.type === "stdio") {
    const { command, args = [], env = [] } = server;
    const granted = Object.fromEntries(env.map(({ name, value }) => [name, value]));
    const needed = Object.fromEntries(Object.entries(process.env).filter(([name]) => PASSED_ON.test(name)));
    const channel = await spawnChannel([command, ...args], { cwd, env: { ...needed, ...granted }, graceMs: GRACE_MS });
    return new ChannelTransport(channel);
  }
  if (server.type !== "http" && server.type !== "sse") throw new Error("This kind of server is not known.");
  const { SSEClientTransport, StreamableHTTPClientTransport } = await import("@modelcontextprotocol/client");
  const headers = Object.fromEntries((server.headers ?? []).map(({ name, value }) => [name, value]));
  const options = { requestInit: { headers }, fetch: boundedFetch };
  const url = new URL(server.url);
  return server.type === "http"
    ? new StreamableHTTPClientTransport(url, options)
    : new SSEClientTransport(url, options);
}

type Attempt = { readonly deadline: AbortSignal; readonly signal: AbortSignal; readonly transport?: Transport };

function reasonOf(error: unknown, { deadline, signal, transport }: Attempt): string {
  if (deadline.aborted && !signal.aborted) return `it did not answer within ${START_MS / 1000} seconds`;
  return shorten((transport && endingOf(transport)) ?? messageOf(error));
}

function endingOf(transport: Transport): string | undefined {
  return transport instanceof ChannelTransport ? transport.ending : undefined;
}

/** Servers, and whoever is between, may put anything into their errors. */
function shorten(reason: string): string {
  const safe = redactText(reason);
  return safe.length > MAX_REASON_LENGTH ? `${safe.slice(0, MAX_REASON_LENGTH)}…` : safe;
}
