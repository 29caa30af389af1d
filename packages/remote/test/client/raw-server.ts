import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

/** A JSON-RPC message, read without types. */
export type Frame = { id?: any; method?: string; params?: any; result?: any; error?: any };

/** One request of the client: the method, what it is about, and its session if it named one. */
export type Ask = {
  readonly line: string;
  readonly headers: IncomingMessage["headers"];
  readonly frame: Frame;
  /** Answers; without a body and with 202 a POST is accepted. */
  reply(status: number, body?: string | object, headers?: Readonly<Record<string, string | string[]>>): void;
  /** Does what the server does by itself. */
  accept(): void;
  /** Breaks the socket. */
  destroy(): void;
};

/** Answers a request in its own way, at once or later, or leaves it (`undefined`) to {@link RawServer}. */
export type Script = (ask: Ask) => true | undefined;

/** A remote agent made of bare HTTP: it accepts every POST, and streams what the test writes. */
export class RawServer {
  url = "";
  /** Offers resumption if it is asked. */
  isResumable = false;
  script: Script = () => undefined;
  readonly asked: Ask[] = [];
  readonly #streams = new Map<string | undefined, ServerResponse>();
  #waiting: (() => void)[] = [];

  get log(): readonly string[] {
    return this.asked.map(({ line }) => line);
  }

  /** Writes messages to the stream of a session, or of the connection. */
  send(sessionId: string | undefined, ...frames: readonly Frame[]): void {
    for (const frame of frames) this.write(sessionId, `data: ${JSON.stringify({ jsonrpc: "2.0", ...frame })}\n\n`);
  }

  /** Writes a message with a cursor. */
  event(sessionId: string | undefined, id: string, frame?: Frame): void {
    const data = frame === undefined ? "" : JSON.stringify({ jsonrpc: "2.0", ...frame });
    this.write(sessionId, `id: ${id}\ndata: ${data}\n\n`);
  }

  write(sessionId: string | undefined, text: string): void {
    this.#stream(sessionId).write(text);
  }

  /** Ends a stream in good order. */
  end(sessionId: string | undefined): void {
    this.#stream(sessionId).end();
  }

  /** Cuts the connection of a stream. */
  cut(sessionId: string | undefined): void {
    this.#stream(sessionId).destroy();
  }

  /** The `nth` request (from 0) of this line of the log, made or yet to come. */
  async ask(line: string, nth = 0): Promise<Ask> {
    for (;;) {
      const found = this.asked.filter((one) => one.line === line)[nth];
      if (found !== undefined) return found;
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
  }

  async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let body = "";
    for await (const chunk of request.setEncoding("utf8")) body += chunk as string;
    const frame: Frame = body === "" ? {} : JSON.parse(body);
    const sessionId = request.headers["acp-session-id"] as string | undefined;
    const about = request.method === "GET" ? "stream" : body === "" ? "end" : (frame.method ?? "answer");
    const ask: Ask = {
      line: [request.method, about, ...(sessionId === undefined ? [] : [sessionId])].join(" "),
      headers: request.headers,
      frame,
      reply(status, text, headers = {}) {
        response.writeHead(status, { "Content-Type": "application/json", ...headers });
        response.end(typeof text === "object" ? JSON.stringify(text) : text);
      },
      accept: () => this.#accept(ask, about, { sessionId, response }),
      destroy: () => void request.socket.destroy(),
    };
    this.asked.push(ask);
    if (!this.script(ask)) ask.accept();
    for (const wake of this.#waiting.splice(0)) wake();
  }

  #stream(sessionId: string | undefined): ServerResponse {
    const stream = this.#streams.get(sessionId);
    if (stream === undefined) throw new Error(`nobody reads ${sessionId ?? "the connection"}`);
    return stream;
  }

  #accept(
    { frame, reply }: Ask,
    about: string,
    { sessionId, response }: { readonly sessionId: string | undefined; readonly response: ServerResponse },
  ): void {
    if (about === "initialize") {
      const asks = this.isResumable && frame.params?._meta?.["acp/resumable"] === true;
      const resumable = { retentionMessages: 100, retentionSeconds: 60 };
      const capabilities = asks ? { transport: { resumable } } : {};
      const result = { protocolVersion: 1, agentCapabilities: { loadSession: true }, authMethods: [], capabilities };
      reply(200, { jsonrpc: "2.0", id: frame.id, result }, { "Acp-Connection-Id": "c-1" });
    } else if (about !== "stream") reply(202);
    else {
      this.#streams.set(sessionId, response);
      response.writeHead(200, { "Content-Type": "text/event-stream" }).flushHeaders();
    }
  }
}

/** Starts a raw server, until the end of the test. */
export async function startRawServer(script: Script = () => undefined): Promise<RawServer> {
  const raw = new RawServer();
  raw.script = script;
  const server = createServer((request, response) => void raw.handle(request, response));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  raw.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/acp`;
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return raw;
}

/** Answers requests of one line of the log with an error, `times` times. */
export function refuse(line: string, status: number, { body = "" as string | object, times = Infinity } = {}): Script {
  let count = 0;
  return (ask) => {
    if (ask.line !== line || count === times) return undefined;
    count += 1;
    ask.reply(status, body);
    return true;
  };
}
