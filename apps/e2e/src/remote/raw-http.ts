import type { Frame } from "@turnkit/testing";
import { onTestFinished } from "vitest";
import { hellos } from "./hellos.js";

type Headers = Readonly<Record<string, string>>;

/** A client of the remote transport that is nothing but `fetch`. */
export class RawHttp {
  connectionId = "";
  readonly #url: string;

  constructor(url: string) {
    this.#url = url;
  }

  /** Opens a connection; the answer comes in the response. */
  async initialize(protocolVersion: 1 | 2 = 1): Promise<Frame> {
    const response = await this.post({ id: 0, method: "initialize", params: hellos[protocolVersion] });
    this.connectionId = response.headers.get("acp-connection-id") ?? "";
    return (await response.json()) as Frame;
  }

  /** Posts a message, or a text as it is, with just the headers given. */
  post(body: object | string, headers: Headers = {}): Promise<Response> {
    const text = typeof body === "string" ? body : JSON.stringify({ jsonrpc: "2.0", ...body });
    return this.ask("POST", { "Content-Type": "application/json", ...headers }, text);
  }

  ask(method: string, headers: Headers = {}, body?: string): Promise<Response> {
    return fetch(this.#url, { method, headers, ...(body === undefined ? {} : { body }) });
  }

  /** Posts on the connection, with the session's header if one is named. */
  async send(frame: Frame, sessionId?: string): Promise<void> {
    const { status } = await this.post(frame, this.headers(sessionId));
    if (status !== 202) throw new Error(`${String(frame.method)} was answered ${status}`);
  }

  headers(sessionId?: string): Headers {
    return {
      "Acp-Connection-Id": this.connectionId,
      ...(sessionId === undefined ? {} : { "Acp-Session-Id": sessionId }),
    };
  }

  /** Reads the stream of the connection, or of a session. */
  async read(sessionId?: string, headers: Headers = {}): Promise<EventReader> {
    const abort = new AbortController();
    const accept = { Accept: "text/event-stream", ...this.headers(sessionId), ...headers };
    const response = await fetch(this.#url, { headers: accept, signal: abort.signal });
    onTestFinished(() => abort.abort());
    return new EventReader(response, abort);
  }

  /** Opens a session, and gives its id; `connection` is the reader of the connection's stream. */
  async newSession(connection: EventReader, id: number | string = "new"): Promise<string> {
    await this.send({ id, method: "session/new", params: { cwd: "/srv", mcpServers: [] } });
    return (await connection.answer(id)).result.sessionId;
  }

  /** Posts a prompt of a session. */
  prompt(sessionId: string, id: number | string, text = "go"): Promise<void> {
    const prompt = [{ type: "text", text }];
    return this.send({ id, method: "session/prompt", params: { sessionId, prompt } }, sessionId);
  }
}

/** One event stream: its text as it came, and the message of each event. */
export class EventReader {
  readonly response: Response;
  /** Everything that came so far. */
  text = "";
  readonly frames: Frame[] = [];
  /** Settles at the end of the stream, whichever way it ended. */
  readonly ended: Promise<void>;
  readonly #abort: AbortController;
  #waiting: (() => void)[] = [];

  constructor(response: Response, abort: AbortController) {
    this.response = response;
    this.#abort = abort;
    this.ended = this.#run();
  }

  /** The first message, received or yet to come, that fits. */
  async next(matches: (frame: Frame) => boolean): Promise<Frame> {
    await this.until(() => this.frames.some(matches));
    return this.frames.find(matches) as Frame;
  }

  answer(id: unknown): Promise<Frame> {
    return this.next((frame) => frame.id === id && !("method" in frame));
  }

  call(method: string): Promise<Frame> {
    return this.next((frame) => frame.method === method);
  }

  async until(done: () => boolean): Promise<void> {
    while (!done()) {
      await new Promise<void>((resolve) => {
        this.#waiting.push(resolve);
      });
    }
  }

  /** Hangs up. */
  async cancel(): Promise<void> {
    this.#abort.abort();
    await this.ended;
  }

  async #run(): Promise<void> {
    if (this.response.status !== 200 || this.response.body === null) return;
    const decoder = new TextDecoder();
    try {
      for await (const chunk of this.response.body) {
        this.text += decoder.decode(chunk, { stream: true });
        const events = this.text.split("\n\n").slice(0, -1);
        const data = events.filter((event) => event.startsWith("data: ")).map((event) => JSON.parse(event.slice(6)));
        this.frames.push(...data.slice(this.frames.length));
        for (const wake of this.#waiting.splice(0)) wake();
      }
    } catch {
      // Hung up, or cut: `ended` says so either way.
    }
  }
}
