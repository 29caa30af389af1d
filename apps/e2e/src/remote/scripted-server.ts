import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Frame } from "@turnkit/testing";
import { onTestFinished } from "vitest";

/** One request of the client: the method, what it is about, and its session if it named one. */
export type Ask = {
  readonly verb: string;
  /** Method of the message, `answer`, or `stream` for a GET. */
  readonly about: string;
  readonly sessionId: string | undefined;
  readonly headers: IncomingMessage["headers"];
  readonly frame: Frame;
  /** Answers; without a body and with 202 a POST is accepted. */
  reply(status: number, body?: string, headers?: Readonly<Record<string, string>>): void;
  /** Does what the server does by itself. */
  accept(): void;
  /** Breaks the socket. */
  destroy(): void;
};

/** Answers a request in its own way, at once or later, or leaves it (`undefined`) to {@link ScriptedServer}. */
export type Script = (ask: Ask) => true | undefined;

/** A remote agent made of bare HTTP: it accepts every POST, and streams what the test writes. */
export class ScriptedServer {
  url = "";
  /** Everything that was asked so far, as `POST session/prompt s-1`. */
  readonly log: string[] = [];
  readonly asked: Ask[] = [];
  readonly #streams = new Map<string | undefined, ServerResponse>();
  readonly #script: Script;
  #waiting: (() => void)[] = [];

  constructor(script: Script) {
    this.#script = script;
  }

  /** Writes messages to the stream of a session, or of the connection. */
  send(sessionId: string | undefined, ...frames: readonly object[]): void {
    this.write(sessionId, frames.map((frame) => `data: ${JSON.stringify({ jsonrpc: "2.0", ...frame })}\n\n`).join(""));
  }

  write(sessionId: string | undefined, text: string): void {
    this.#stream(sessionId).write(text);
  }

  /** Ends a stream in good order. */
  end(sessionId: string | undefined): void {
    this.#stream(sessionId).end();
  }

  /** The `nth` request (from 0) of this line of the log, made or yet to come. */
  async ask(line: string, nth = 0): Promise<Ask> {
    for (;;) {
      const found = this.asked.filter((_, at) => this.log[at] === line)[nth];
      if (found !== undefined) return found;
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
  }

  #stream(sessionId: string | undefined): ServerResponse {
    const stream = this.#streams.get(sessionId);
    if (stream === undefined) throw new Error(`nobody reads ${sessionId ?? "the connection"}`);
    return stream;
  }

  async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let body = "";
    for await (const chunk of request.setEncoding("utf8")) body += chunk as string;
    const frame: Frame = body === "" ? {} : JSON.parse(body);
    const sessionId = request.headers["acp-session-id"] as string | undefined;
    const about = request.method === "GET" ? "stream" : body === "" ? "end" : (frame.method ?? "answer");
    const reply = (status: number, text?: string, headers: Readonly<Record<string, string>> = {}) =>
      void response.writeHead(status, { "Content-Type": "application/json", ...headers }).end(text);
    const verb = request.method ?? "";
    const accept = () => this.#accept(ask, response);
    const destroy = () => void request.socket.destroy();
    const ask: Ask = { verb, about, sessionId, headers: request.headers, frame, reply, accept, destroy };
    this.asked.push(ask);
    this.log.push([verb, about, ...(sessionId === undefined ? [] : [sessionId])].join(" "));
    if (!this.#script(ask)) accept();
    for (const wake of this.#waiting.splice(0)) wake();
  }

  #accept({ about, frame, sessionId, reply }: Ask, response: ServerResponse): void {
    if (about === "initialize") reply(200, JSON.stringify(hello(frame)), { "Acp-Connection-Id": "c-1" });
    else if (about !== "stream") reply(202);
    else {
      this.#streams.set(sessionId, response);
      response.writeHead(200, { "Content-Type": "text/event-stream" }).flushHeaders();
    }
  }
}

/** The answer of a version 1 agent that can load sessions. */
const hello = ({ id }: Frame): Frame => ({
  jsonrpc: "2.0",
  id,
  result: { protocolVersion: 1, agentCapabilities: { loadSession: true }, authMethods: [] },
});

/** Starts a scripted agent, until the end of the test. */
export async function startScriptedServer(script: Script = () => undefined): Promise<ScriptedServer> {
  const scripted = new ScriptedServer(script);
  const server = createServer((request, response) => void scripted.handle(request, response));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  scripted.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/acp`;
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return scripted;
}
