import type { JSONRPCMessage, Transport } from "@modelcontextprotocol/client";
import type { McpServer } from "@turnkit/agent";
import { type Channel, closeText } from "@turnkit/transport";
import { spawnChannel } from "@turnkit/transport/node";
import { placeOf } from "./server-place.js";

/** Time that a server has to exit, in milliseconds: first after its stdin closes, then again after SIGTERM. */
const GRACE_MS = 500;

/** Opens the transport to a server. For stdio, this starts the server's process. */
export async function openTransport(server: McpServer, cwd: string): Promise<Transport> {
  if (server.type === "stdio") {
    const place = await placeOf(server, cwd);
    try {
      const channel = await spawnChannel(place.command, { cwd: place.cwd, env: place.env, graceMs: GRACE_MS });
      void channel.closed.then(place.leave);
      return new ChannelTransport(channel);
    } catch (error) {
      await place.leave();
      throw error;
    }
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

/** Largest message in bytes. The bound for stdio is the same. */
const MAX_MESSAGE_BYTES = 32 * 1024 * 1024;

const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;

/**
 * Fetches a URL with a bound on the use of memory. An answer that is larger than {@link MAX_MESSAGE_BYTES} fails. An
 * event stream may last for days, so the bound is per event there.
 */
export async function boundedFetch(url: string | URL, init?: RequestInit): Promise<Response> {
  const response = await fetch(url, init);
  if (response.body === null) return response;
  const isStream = response.headers.get("content-type")?.startsWith("text/event-stream") ?? false;
  const { status, statusText, headers } = response;
  const bounded = new Response(response.body.pipeThrough(limiter(isStream ? "event" : "body")), {
    status,
    statusText,
    headers,
  });
  // A constructed `Response` has no URL, but checks of redirects need the URL.
  Object.defineProperty(bounded, "url", { value: response.url });
  return bounded;
}

function limiter(of: "event" | "body"): TransformStream<Uint8Array, Uint8Array> {
  const count = of === "event" ? createEventCounter() : createByteCounter();
  return new TransformStream({
    transform(chunk, controller) {
      if (count(chunk) > MAX_MESSAGE_BYTES) {
        controller.error(new Error(`a message is larger than ${MAX_MESSAGE_BYTES / 1024 / 1024} MiB`));
      } else controller.enqueue(chunk);
    },
  });
}

function createByteCounter(): (chunk: Uint8Array) => number {
  let length = 0;
  return (chunk) => {
    length += chunk.length;
    return length;
  };
}

/**
 * Returns a counter of the bytes of the longest event in a chunk, with the bytes of earlier chunks. An empty line ends an
 * event: the client stores all lines before it. A line ends with CR, LF or both.
 */
function createEventCounter(): (chunk: Uint8Array) => number {
  let length = 0;
  let isLineEmpty = true;
  let previous = LINE_FEED;
  return (chunk) => {
    let longest = 0;
    for (const byte of chunk) {
      length += 1;
      const isSecondOfPair = byte === LINE_FEED && previous === CARRIAGE_RETURN;
      previous = byte;
      if (isSecondOfPair) continue;
      const isLineEnd = byte === LINE_FEED || byte === CARRIAGE_RETURN;
      longest = Math.max(longest, length);
      if (isLineEnd && isLineEmpty) length = 0;
      isLineEmpty = isLineEnd;
    }
    return longest;
  };
}
