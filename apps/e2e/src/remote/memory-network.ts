import { openRemote, type RemoteOptions } from "@turnkit/remote/client";
import { createRemoteServer, type RemoteServer, type RemoteServerOptions } from "@turnkit/remote/server";
import type { Channel } from "@turnkit/transport";
import { MemorySocket } from "./memory-socket.js";

/** Fate of one crossing of the network: a request, an answer to a POST, a chunk of a stream, or a frame. */
export type Fate = "pass" | "cut" | "half-open";

/** Our server, joined to our client without a network. `fate` decides about each crossing, and can cut it. */
export class MemoryNetwork {
  readonly server: RemoteServer;
  /** Number of cuts. */
  cuts = 0;
  /** Number of WebSocket frames and chunks of events that had several messages. */
  packed = 0;
  fate: () => Fate = () => "pass";

  constructor(server: RemoteServer) {
    this.server = server;
  }

  static to(options: RemoteServerOptions): MemoryNetwork {
    return new MemoryNetwork(createRemoteServer(options));
  }

  open(scheme: "http" | "ws", options: RemoteOptions = {}): Promise<Channel> {
    return openRemote(`${scheme}://127.0.0.1/acp`, {
      fetch: (url, init) => this.#fetch(new Request(url as URL, init)),
      webSocket: (url, { headers }) => {
        const request = new Request(url.replace(/^ws/, "http"), { headers });
        let socket: MemorySocket;
        const passes = (frame: string) => {
          if (frame.includes("\n")) this.packed += 1;
          const fate = this.#next();
          if (fate !== "pass") socket.cut(fate === "half-open");
          return fate === "pass";
        };
        socket = new MemorySocket(this.server.upgrade(request), passes);
        return socket;
      },
      ...options,
    });
  }

  #next(): Fate {
    const fate = this.fate();
    if (fate !== "pass") this.cuts += 1;
    return fate;
  }

  async #fetch(request: Request): Promise<Response> {
    if (this.#next() !== "pass") throw new TypeError("fetch failed: the request was cut");
    const response = await this.server.fetch(request);
    const isStream = request.method === "GET" && response.body !== null;
    if (isStream) return new Response(this.#cuttable(request, response.body as ReadableStream), response);
    if (request.method === "POST" && this.#next() !== "pass") throw new TypeError("fetch failed: the answer was cut");
    return response;
  }

  /** A body that can break between two chunks. Half-open means that its source does not notice. */
  #cuttable({ signal }: Request, body: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
    const reader = body.getReader();
    const leave = () => void reader.cancel().catch(() => {});
    return new ReadableStream({
      start: (controller) =>
        signal.addEventListener("abort", () => {
          leave();
          controller.error(signal.reason);
        }),
      pull: async (controller) => {
        const { done, value } = await reader.read();
        if (done) return controller.close();
        if (/\ndata: .*\ndata: /.test(new TextDecoder().decode(value))) this.packed += 1;
        const fate = this.#next();
        if (fate === "pass") return controller.enqueue(value);
        if (fate === "cut") leave();
        controller.error(new TypeError("terminated"));
      },
      cancel: leave,
    });
  }
}
