import type { JSONRPCMessage, Transport } from "@modelcontextprotocol/client";
import type { McpServer } from "@turnkit/agent";
import { type Channel, closeText } from "@turnkit/transport";
import { spawnChannel } from "@turnkit/transport/node";
import { boundedFetch } from "../bounded-fetch.js";
import { type ServerPlace, startOf } from "./server-start.js";

/** Time that a server has to exit, in milliseconds: first after its stdin closes, then again after SIGTERM. */
const GRACE_MS = 500;

export async function openTransport(server: McpServer, place: ServerPlace): Promise<Transport> {
  if (server.type === "stdio") {
    const start = await startOf(server, place);
    try {
      const channel = await spawnChannel(start.command, { cwd: start.cwd, env: start.env, graceMs: GRACE_MS });
      void channel.closed.then(start.leave);
      return new ChannelTransport(channel);
    } catch (error) {
      await start.leave();
      throw error;
    }
  }
  if (server.type !== "http" && server.type !== "sse") throw new Error("The type of this server is unknown.");
  const { SSEClientTransport, StreamableHTTPClientTransport } = await import("@modelcontextprotocol/client");
  const headers = Object.fromEntries((server.headers ?? []).map(({ name, value }) => [name, value]));
  const options = { requestInit: { headers }, fetch: boundedFetch };
  const url = new URL(server.url);
  return server.type === "http"
    ? new StreamableHTTPClientTransport(url, options)
    : new SSEClientTransport(url, options);
}

/**
 * Transport of the MCP client over a channel of `@turnkit/transport`. MCP over stdio is JSON-RPC in lines, as in ACP. A
 * server's process is therefore run like the process of an agent. Lines that are not JSON are ignored.
 */
export class ChannelTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: Transport["onmessage"];
  readonly #channel: Channel;
  /** Reason for the end of the transport; absent while the transport is open. */
  ending: string | undefined;

  constructor(channel: Channel) {
    this.#channel = channel;
    void channel.closed.then((reason) => {
      this.ending = closeText(reason);
      this.onclose?.();
    });
  }

  async start(): Promise<void> {
    this.#channel.start({
      message: (message) => {
        try {
          // The MCP client validates the message.
          this.onmessage?.(message as JSONRPCMessage);
        } catch (error) {
          this.onerror?.(error as Error);
        }
      },
      invalidLine: () => {},
    });
  }

  async send(message: JSONRPCMessage): Promise<void> {
    await this.#channel.send(message as Parameters<Channel["send"]>[0]);
  }

  close(): Promise<void> {
    return this.#channel.close();
  }
}
