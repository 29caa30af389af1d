import { type IncomingMessage, request as requestHttp } from "node:http";
import { connect } from "node:http2";
import { request as requestHttps } from "node:https";
import { Conversation } from "../../conversation.js";
import type { Entry } from "../../entry.js";
import { fail, skip } from "../../verdict.js";

/** Headers by name. */
export type RawHeaders = Readonly<Record<string, string>>;

/** Answer to a raw request, whose headers have arrived. */
export type RawReply = {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly entry: Entry;
  /** Returns the body, or its part that arrived within the time limit. */
  text(): Promise<string>;
  /** Returns `true` if the server ends the body within the time limit. */
  hasEnded(): Promise<boolean>;
  /** Returns the next message of an event stream, or `undefined` if none comes. */
  next(): Promise<unknown>;
  /** Cuts the connection. */
  cut(): void;
};

/** Facts of a server that is checked. */
export type RawServerOptions = {
  readonly url: URL;
  readonly timeoutMs: number;
  readonly headers?: RawHeaders;
  /** Params of `initialize`, and of `session/new`. */
  readonly hello: object;
  readonly newSession: object;
};

/** Server of agents, used with single requests. */
export class RawServer {
  readonly talk = new Conversation();
  readonly options: RawServerOptions;
  connectionId: string | undefined;
  readonly #cuts: (() => void)[] = [];
  #nextId = 1;

  constructor(options: RawServerOptions) {
    this.options = options;
  }

  /** Sends one request on a connection of its own. */
  send(method: string, headers: RawHeaders = {}, body?: string): Promise<RawReply> {
    const { url, headers: own } = this.options;
    const asked = this.#say("client", `${method} ${url.pathname} ${JSON.stringify(headers)} ${body ?? ""}`.trim());
    const request = url.protocol === "https:" ? requestHttps : requestHttp;
    return new Promise((resolve, reject) => {
      const sent = request(url, { method, agent: false, headers: { ...own, ...headers } });
      this.#cuts.push(() => sent.destroy());
      sent.on("error", reject);
      sent.on("response", (answer) => {
        // A stream may be silent for longer than the time limit. Only the server may end it.
        sent.setTimeout(0);
        resolve(this.#replyOf(answer, () => sent.destroy()));
      });
      sent.on("upgrade", (answer, socket) => {
        socket.on("error", () => {});
        resolve(this.#replyOf(answer, () => socket.destroy()));
      });
      sent.setTimeout(this.options.timeoutMs, () => sent.destroy(new Error(`no answer to ${asked.line} came`)));
      sent.end(body);
    });
  }

  /** Sends `initialize` over HTTP/2. Returns its status and the names of the headers. */
  async overHttp2(): Promise<{ readonly status: number; readonly names: readonly string[]; readonly entry: Entry }> {
    const { url, headers: own } = this.options;
    const session = connect(url.origin);
    this.#cuts.push(() => session.destroy());
    const entry = this.#say("client", `POST ${url.pathname} over HTTP/2`);
    return new Promise((resolve) => {
      const none = () => resolve({ status: 0, names: [], entry });
      session.on("error", none);
      const fields = { ":method": "POST", ":path": url.pathname, "content-type": "application/json", ...own };
      const stream = session.request(fields);
      stream.on("error", none);
      stream.setTimeout(this.options.timeoutMs, none);
      stream.on("response", (answer) => resolve({ status: answer[":status"] ?? 0, names: Object.keys(answer), entry }));
      stream.end(this.frame("initialize", this.options.hello));
    });
  }

  /** Returns a request as text, with an id of its own. */
  frame(method: string, params: unknown, id: number = this.#nextId++): string {
    return JSON.stringify({ jsonrpc: "2.0", id, method, params });
  }

  post(body: string, headers: RawHeaders = {}): Promise<RawReply> {
    return this.send("POST", { "Content-Type": "application/json", ...headers }, body);
  }

  /** Opens a connection, and returns the answer to `initialize`. */
  async initialize(): Promise<RawReply> {
    const reply = await this.post(this.frame("initialize", this.options.hello));
    const { "acp-connection-id": id } = reply.headers;
    if (typeof id !== "string") return skip("initialize opened no connection.");
    this.connectionId = id;
    return reply;
  }

  /** Returns the headers of a request on the connection. */
  ids(session?: string): RawHeaders {
    return {
      ...(this.connectionId !== undefined && { "Acp-Connection-Id": this.connectionId }),
      ...(session !== undefined && { "Acp-Session-Id": session }),
    };
  }

  /** Opens an event stream. */
  events(session?: string, accept = "text/event-stream"): Promise<RawReply> {
    return this.send("GET", { Accept: accept, ...this.ids(session) });
  }

  /** Opens a session on an open connection stream. Returns its id, and the message that had it. */
  async session(stream: RawReply): Promise<string> {
    const id = this.#nextId++;
    await this.post(this.frame("session/new", this.options.newSession, id), this.ids());
    const message = (await stream.next()) as {
      readonly id?: unknown;
      readonly result?: { readonly sessionId?: string };
    };
    const { sessionId } = message?.result ?? {};
    if (message?.id !== id || sessionId === undefined)
      return fail("session/new was not answered on its stream", stream.entry);
    return sessionId;
  }

  close(): void {
    for (const cut of this.#cuts) cut();
  }

  #say(by: "agent" | "client", line: string): Entry {
    return this.talk.add({ by, line });
  }

  #replyOf(answer: IncomingMessage, cut: () => void): RawReply {
    const status = answer.statusCode ?? 0;
    const { "acp-connection-id": id, "content-type": type } = answer.headers;
    const entry = this.#say("agent", `${status} ${JSON.stringify({ "content-type": type, "acp-connection-id": id })}`);
    const body = new Body(answer, this.options.timeoutMs);
    const { headers } = answer;
    return {
      ...{ status, headers, entry, cut },
      text: () => body.whole(),
      hasEnded: () => body.hasEnded(),
      next: () => body.next(),
    };
  }
}

/** Body of an answer, as text or as events. */
class Body {
  readonly #timeoutMs: number;
  #text = "";
  #ended = false;
  #wake = () => {};

  constructor(answer: IncomingMessage, timeoutMs: number) {
    this.#timeoutMs = timeoutMs;
    answer.setEncoding("utf8");
    answer.on("data", (text: string) => {
      this.#text += text;
      this.#wake();
    });
    const end = () => {
      this.#ended = true;
      this.#wake();
    };
    answer.on("end", end).on("error", end).on("close", end);
  }

  async hasEnded(): Promise<boolean> {
    await this.#until(() => this.#ended);
    return this.#ended;
  }

  async whole(): Promise<string> {
    await this.hasEnded();
    return this.#text;
  }

  async next(): Promise<unknown> {
    let data: string | undefined;
    await this.#until(() => {
      for (let end = this.#text.indexOf("\n\n"); end >= 0; end = this.#text.indexOf("\n\n")) {
        const event = this.#text.slice(0, end);
        this.#text = this.#text.slice(end + 2);
        data = event
          .split("\n")
          .flatMap((line) => (line.startsWith("data:") ? [line.slice(5).trimStart()] : []))
          .join("\n");
        if (data !== "") return true;
        data = undefined;
      }
      return this.#ended;
    });
    return data === undefined ? undefined : (JSON.parse(data) as unknown);
  }

  #until(done: () => boolean): Promise<void> {
    return new Promise((resolve) => {
      const settle = () => {
        this.#wake = () => {};
        clearTimeout(timer);
        resolve();
      };
      const timer = setTimeout(settle, this.#timeoutMs);
      const look = () => {
        if (done()) settle();
      };
      this.#wake = look;
      look();
    });
  }
}
