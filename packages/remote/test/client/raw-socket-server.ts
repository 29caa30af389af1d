import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";
import { WebSocket, WebSocketServer } from "ws";
import type { RemoteOptions } from "../../src/client/index.js";
import type { Frame } from "./raw-server.js";

/** Node 20 has no WebSocket: the client gets that of the library. */
export const webSocket: NonNullable<RemoteOptions["webSocket"]> = (url, { headers, protocols }) =>
  new WebSocket(url, [...protocols], { headers });

/** The server's end of one WebSocket, and all frames that it received. */
export class RawSocket {
  readonly headers: IncomingMessage["headers"];
  readonly frames: Frame[] = [];
  readonly socket: WebSocket;
  #waiting: (() => void)[] = [];

  constructor(socket: WebSocket, { headers }: IncomingMessage) {
    this.socket = socket;
    this.headers = headers;
    socket.on("error", () => {});
    socket.on("message", (data) => {
      this.frames.push(JSON.parse(String(data)));
      for (const wake of this.#waiting.splice(0)) wake();
    });
  }

  /** Sends messages, with a cursor if one is given. */
  send(frame: Frame, cursor?: string): void {
    const _meta = cursor === undefined ? {} : { _meta: { "acp/cursor": cursor } };
    this.socket.send(JSON.stringify({ jsonrpc: "2.0", ...frame, ..._meta }));
  }

  /** The first frame with this method, received or yet to come. */
  async frame(method: string): Promise<Frame> {
    for (;;) {
      const found = this.frames.find((one) => one.method === method);
      if (found !== undefined) return found;
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
  }

  get methods(): readonly string[] {
    return this.frames.map(({ method, id }) => method ?? `answer ${id}`);
  }

  /** Answers `initialize`. With `isResumable`, the result offers resumption. */
  async initialize(isResumable: boolean, meta: object = {}): Promise<void> {
    const { id } = await this.frame("initialize");
    const resumable = { retentionMessages: 100, retentionSeconds: 60 };
    const capabilities = isResumable ? { transport: { resumable } } : {};
    this.send({ id, result: { protocolVersion: 1, capabilities, _meta: meta } }, isResumable ? "c0" : undefined);
  }
}

/** A server of WebSockets. Each one waits in `sockets` for the test. */
export class RawSocketServer {
  url = "";
  /** Status with which upgrades are refused. */
  refusal: number | undefined;
  /** Headers of the answer to an upgrade. */
  answerHeaders: readonly string[] = ["Acp-Connection-Id: c-1"];
  upgrades = 0;
  readonly #sockets: RawSocket[] = [];
  #waiting: (() => void)[] = [];

  async socket(nth = 0): Promise<RawSocket> {
    for (;;) {
      const found = this.#sockets[nth];
      if (found !== undefined) return found;
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
  }

  static async start(): Promise<RawSocketServer> {
    const raw = new RawSocketServer();
    const server = createServer();
    const sockets = new WebSocketServer({ noServer: true });
    sockets.on("headers", (headers) => void headers.push(...raw.answerHeaders));
    server.on("upgrade", (request, pipe, head) => {
      raw.upgrades += 1;
      if (raw.refusal !== undefined) {
        pipe.end(`HTTP/1.1 ${raw.refusal} No\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
        return;
      }
      sockets.handleUpgrade(request, pipe, head, (socket) => {
        raw.#sockets.push(new RawSocket(socket, request));
        for (const wake of raw.#waiting.splice(0)) wake();
      });
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    raw.url = `ws://127.0.0.1:${(server.address() as AddressInfo).port}/acp`;
    onTestFinished(() => {
      for (const { socket } of raw.#sockets) socket.terminate();
      server.close();
    });
    return raw;
  }
}
