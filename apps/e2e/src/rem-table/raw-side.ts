import { once } from "node:events";
import type { Frame } from "@turnkit/testing";
import { FramedSocket } from "../remote/framed-socket.js";
import type { EventFeed } from "./event-feed.js";
import { hello } from "./hello.js";
import { PATH, type Peer } from "./peer.js";
import { type RawHeaders, type Reply, sendRaw, type Wire } from "./raw-request.js";
import { RawSocket } from "./raw-socket.js";

const JSON_TYPE = { "Content-Type": "application/json" } as const;
const EVENTS = { Accept: "text/event-stream" } as const;

/** A client that is nothing but requests, each on a connection of its own. */
export class RawSide {
  readonly peer: Peer;
  connectionId = "";
  /** Headers of every request. */
  common: RawHeaders = {};
  path = PATH;
  readonly #wire: Wire;
  readonly #tls: boolean;
  readonly #patience: number;
  readonly #replies: Reply[] = [];
  readonly #sockets: FramedSocket[] = [];

  constructor(peer: Peer, { wire, tls, patience }: { wire: Wire; tls: boolean; patience: number }) {
    this.peer = peer;
    this.#wire = wire;
    this.#tls = tls;
    this.#patience = patience;
  }

  async send(method: string, headers: RawHeaders, body?: string | Buffer): Promise<Reply> {
    const port = this.#wire === "http/2" ? this.peer.http2 : this.peer.http1;
    const reply = await sendRaw(
      { port, wire: this.#wire, tls: this.#tls, path: this.path, patience: this.#patience },
      { method, headers: { ...this.common, ...headers }, ...(body !== undefined && { body }) },
    );
    this.#replies.push(reply);
    return reply;
  }

  /** Sends a message, or a text as it is. */
  post(body: object | string, headers: RawHeaders = {}): Promise<Reply> {
    const text = typeof body === "string" ? body : JSON.stringify({ jsonrpc: "2.0", ...body });
    return this.send("POST", { ...JSON_TYPE, ...headers }, text);
  }

  /** Opens a connection. */
  async connect(isResumable = false): Promise<Frame> {
    const reply = await this.post(hello(isResumable));
    this.connectionId = String(reply.headers["acp-connection-id"]);
    return JSON.parse(await reply.text());
  }

  /** Headers that name the connection, and a session. */
  ids(sessionId?: string): RawHeaders {
    return { "Acp-Connection-Id": this.connectionId, ...(sessionId !== undefined && { "Acp-Session-Id": sessionId }) };
  }

  /** Sends a message on the connection; returns the status. */
  async call(frame: Frame, sessionId?: string, headers: RawHeaders = {}): Promise<number> {
    return (await this.post(frame, { ...this.ids(sessionId), ...headers })).status;
  }

  prompt(sessionId: string, text: string, headers: RawHeaders = {}): Promise<number> {
    const params = { sessionId, prompt: [{ type: "text", text }] };
    return this.call({ id: `prompt ${text}`, method: "session/prompt", params }, sessionId, headers);
  }

  get(sessionId?: string, headers: RawHeaders = {}): Promise<Reply> {
    return this.send("GET", { ...EVENTS, ...this.ids(sessionId), ...headers });
  }

  /** Reads a stream again after a cut. A server may need a moment to see the cut: until then it answers 409 to a new reader. */
  async getAgain(sessionId: string, headers: RawHeaders = {}): Promise<Reply> {
    const until = performance.now() + this.#patience;
    for (;;) {
      const reply = await this.get(sessionId, headers);
      const isBusy = reply.status === 409 && !String(reply.headers["content-type"]).includes("json");
      if (!isBusy || performance.now() > until) return reply;
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  }

  async events(sessionId?: string, headers: RawHeaders = {}): Promise<EventFeed & { cut(): void }> {
    const reply = await this.get(sessionId, headers);
    return Object.assign(reply.feed, { cut: () => reply.cut() });
  }

  /** Opens a WebSocket, or returns the status of a refusal. */
  async upgrade(headers: RawHeaders = {}): Promise<RawSocket | number> {
    const sent = { ...this.common, ...headers };
    const socket = new FramedSocket(`ws://127.0.0.1:${this.peer.http1}${this.path}`, [], { headers: sent });
    this.#sockets.push(socket);
    const raw = new RawSocket(socket, this.#patience);
    const opened = await Promise.race([once(socket, "open").then(() => "open"), raw.refused]);
    return opened === "open" ? raw : Number(opened);
  }

  /** Opens a WebSocket that must not be refused. */
  async socket(headers: RawHeaders = {}): Promise<RawSocket> {
    const raw = await this.upgrade(headers);
    if (typeof raw === "number") throw new Error(`The upgrade was answered ${raw}.`);
    return raw;
  }

  /** Cuts everything. */
  close(): void {
    for (const reply of this.#replies) reply.cut();
    for (const socket of this.#sockets) socket.destroy();
  }
}
