import { onTestFinished } from "vitest";
import { createRemoteServer, type RemoteServer, type RemoteServerOptions } from "../../src/server/index.js";
import type { Frame } from "../client/raw-server.js";
import { EventBody } from "./event-body.js";
import { RawAgent } from "./raw-agent.js";

export const address = "http://127.0.0.1:4040/acp";

/** Names of headers are written as on the wire. */
export type HeaderList = Readonly<Record<string, string>>;

export const eventHeaders: HeaderList = { Accept: "text/event-stream" };

type Options = Partial<RemoteServerOptions> & { readonly agent?: undefined };

/** A server under test, its raw agent, and bare requests. */
export class Stage {
  readonly agent = new RawAgent();
  readonly server: RemoteServer;
  connectionId = "";

  constructor(options: Options = {}) {
    this.server = createRemoteServer({ agent: this.agent, ...options } as RemoteServerOptions);
    onTestFinished(() => this.server.close());
  }

  /** A stage with one connection, whose stream is not open. */
  static async connected(options: Options = {}, params: object = {}): Promise<Stage> {
    const stage = new Stage(options);
    const response = await stage.initialize(params);
    await response.text();
    return stage;
  }

  ask(method: string, headers: HeaderList = {}, init: RequestInit = {}): Promise<Response> {
    return this.server.fetch(new Request(address, { method, headers, ...init }));
  }

  post(frame: Frame | readonly Frame[] | string, headers: HeaderList = this.headers()): Promise<Response> {
    const body =
      typeof frame === "string" ? frame : JSON.stringify(Array.isArray(frame) ? frame : { jsonrpc: "2.0", ...frame });
    return this.ask("POST", { "Content-Type": "application/json", ...headers }, { body });
  }

  async initialize(params: object = {}, headers: HeaderList = {}): Promise<Response> {
    const response = await this.post(
      { id: 0, method: "initialize", params: { protocolVersion: 1, ...params } },
      headers,
    );
    this.connectionId = response.headers.get("Acp-Connection-Id") ?? "";
    return response;
  }

  headers(sessionId?: string): HeaderList {
    const session: HeaderList = sessionId === undefined ? {} : { "Acp-Session-Id": sessionId };
    return { "Acp-Connection-Id": this.connectionId, ...session };
  }

  get(sessionId?: string, headers: HeaderList = {}): Promise<Response> {
    return this.ask("GET", { ...eventHeaders, ...this.headers(sessionId), ...headers });
  }

  /** Opens a stream. */
  async events(sessionId?: string, headers: HeaderList = {}): Promise<EventBody> {
    const response = await this.get(sessionId, headers);
    if (response.status !== 200) throw new Error(`the stream was refused: ${response.status}`);
    return new EventBody(response);
  }

  prompt(id: unknown, sessionId: string): Promise<Response> {
    const frame = { id, method: "session/prompt", params: { sessionId, prompt: [] } };
    return this.post(frame, this.headers(sessionId));
  }
}
