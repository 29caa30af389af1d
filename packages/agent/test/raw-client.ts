import type { Channel } from "@turnkit/transport";
import { createMemoryPair } from "@turnkit/transport/channels";
import { onTestFinished } from "vitest";
import {
  type AgentConnection,
  type AgentHandlers,
  allDialects,
  createAgentWith,
  type DataHandlers,
  type Diagnostic,
  type Dialect,
  outgoingContracts,
  type ServeOptions as ServeOptionsOfAgent,
} from "../src/index.js";

/** A message as it crossed the wire. */
export type Frame = Record<string, any>;

export const info = { name: "test-agent", version: "1.0.0" };
export const clientInfo = { name: "raw-client", version: "1.0.0" };
export const everything = {
  fs: { readTextFile: true, writeTextFile: true },
  terminal: true,
  auth: { terminal: true },
  session: { compaction: {}, notices: {}, configOptions: { boolean: {} } },
};

/** Options of an agent under test: `dialects` are all by default. */
type ServeOptions = ServeOptionsOfAgent & { readonly dialects?: readonly Dialect[] };

type Waiting = { readonly matches: (frame: Frame) => boolean; readonly resolve: (frame: Frame) => void };

/** A client as bare messages: what a bug in our own connection and codec cannot hide from. */
export class RawClient {
  readonly received: Frame[] = [];
  readonly channel: Channel;
  #nextId = 1;
  #waiting: Waiting[] = [];

  constructor(channel: Channel) {
    this.channel = channel;
    channel.start({ message: (message) => this.#receive(message as Frame), invalidLine: () => undefined });
  }

  /** Everything sent in one call goes in one write. */
  send(...messages: Frame[]): void {
    for (const message of messages) this.channel.send({ jsonrpc: "2.0", ...message } as never);
  }

  /** Asks, and waits for the whole answer. */
  request(method: string, params: object = {}): Promise<Frame> {
    const id = this.#nextId++;
    this.send({ id, method, params });
    return this.answer(id);
  }

  /** {@link request} for an answer that must be a result. */
  async result(method: string, params: object = {}): Promise<Frame> {
    const answer = await this.request(method, params);
    if (!("result" in answer)) throw new Error(`${method} failed: ${JSON.stringify(answer.error)}`);
    return answer.result;
  }

  /** {@link request} for an answer that must be an error. */
  async error(method: string, params: object = {}): Promise<Frame> {
    const answer = await this.request(method, params);
    if (!("error" in answer)) throw new Error(`${method} succeeded: ${JSON.stringify(answer.result)}`);
    return answer.error;
  }

  notify(method: string, params: object = {}): void {
    this.send({ method, params });
  }

  reply(call: Frame, result: unknown): void {
    this.send({ id: call.id, result });
  }

  /** The first message, past or future, that fits. */
  next(matches: (frame: Frame) => boolean): Promise<Frame> {
    const known = this.received.find(matches);
    if (known !== undefined) return Promise.resolve(known);
    return new Promise((resolve) => this.#waiting.push({ matches, resolve }));
  }

  answer(id: unknown): Promise<Frame> {
    return this.next((frame) => frame.id === id && !("method" in frame));
  }

  /** The `n`-th request or notification of a method. */
  call(method: string, n = 0): Promise<Frame> {
    const nth = () => this.received.filter((frame) => frame.method === method)[n];
    return this.next((frame) => frame === nth());
  }

  /** The `n`-th update of a kind. */
  async update(kind: string, n = 0): Promise<Frame> {
    const nth = () => this.updates(kind)[n];
    return (await this.next((frame) => frame.params?.update !== undefined && frame.params.update === nth())).params
      .update;
  }

  updates(kind?: string): Frame[] {
    const all = this.received.filter(({ method }) => method === "session/update").map(({ params }) => params.update);
    return kind === undefined ? all : all.filter(({ sessionUpdate }) => sessionUpdate === kind);
  }

  /** All that came, one word each: kinds of updates, methods of requests, `#id` of answers. */
  get story(): string[] {
    return this.received.map(({ method, id, params }) => {
      if (method === undefined) return `#${id}`;
      return method === "session/update" ? String(params.update.content?.text ?? params.update.sessionUpdate) : method;
    });
  }

  /** Text of the agent's message chunks. */
  get text(): string {
    return this.updates("agent_message_chunk")
      .map(({ content }) => content.text)
      .join("");
  }

  initialize(clientCapabilities: object = everything): Promise<Frame> {
    return this.result("initialize", { protocolVersion: 1, clientCapabilities, clientInfo });
  }

  async newSession(params: object = {}): Promise<string> {
    return (await this.result("session/new", { cwd: "/work", mcpServers: [], ...params })).sessionId;
  }

  /** Sends a prompt and tells its id; the answer comes later. */
  prompt(sessionId: string, text = "hi"): number {
    const id = this.#nextId++;
    this.send({ id, method: "session/prompt", params: { sessionId, prompt: [{ type: "text", text }] } });
    return id;
  }

  async ask(sessionId: string, text = "hi"): Promise<Frame> {
    return this.answer(this.prompt(sessionId, text));
  }

  cancel(sessionId: string): void {
    this.notify("session/cancel", { sessionId });
  }

  close(): Promise<void> {
    return this.channel.close();
  }

  #receive(frame: Frame): void {
    this.received.push(frame);
    const fitting = this.#waiting.filter(({ matches }) => matches(frame));
    this.#waiting = this.#waiting.filter((waiting) => !fitting.includes(waiting));
    for (const { resolve } of fitting) resolve(frame);
  }
}

/** One agent served to one raw client. */
export type Connected = {
  readonly client: RawClient;
  readonly served: AgentConnection;
  readonly diagnostics: Diagnostic[];
};

/** Serves the handlers; what they leave out does nothing. */
export function serve<S = undefined>(
  handlers: Partial<AgentHandlers<S>>,
  { dialects = allDialects, ...options }: ServeOptions = {},
): Connected {
  const [channel, end] = createMemoryPair();
  const diagnostics: Diagnostic[] = [];
  const all = { info, newSession: () => undefined, prompt: () => undefined, ...handlers } as AgentHandlers<S>;
  const served = createAgentWith<S>(dialects, all as AgentHandlers<S> & DataHandlers<S>).serve(channel, {
    validateOutgoing: outgoingContracts,
    onDiagnostic: (diagnostic) => diagnostics.push(diagnostic),
    ...options,
  });
  const client = new RawClient(end);
  onTestFinished(async () => {
    await client.close();
  });
  return { client, served, diagnostics };
}

/** {@link serve}, initialized. */
export async function connect<S = undefined>(
  handlers: Partial<AgentHandlers<S>>,
  { capabilities, ...options }: ServeOptions & { readonly capabilities?: object } = {},
): Promise<Connected> {
  const connected = serve(handlers, options);
  await connected.client.initialize(capabilities);
  return connected;
}

/** {@link connect} with a session. */
export async function open<S = undefined>(
  handlers: Partial<AgentHandlers<S>>,
  options: ServeOptions & { readonly capabilities?: object } = {},
): Promise<Connected & { readonly sessionId: string }> {
  const connected = await connect(handlers, options);
  return { ...connected, sessionId: await connected.client.newSession() };
}

/** A promise and its ends. */
export function gate<T = void>(): {
  readonly promise: Promise<T>;
  open(value: T): void;
  fail(error: unknown): void;
} {
  let open!: (value: T) => void;
  let fail!: (error: unknown) => void;
  const promise = new Promise<T>((resolve, reject) => {
    open = resolve;
    fail = reject;
  });
  return { promise, open, fail };
}

/** Settles when a signal fires. */
export function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
}

/** Params of `initialize` of a version 2 client. */
export const v2Hello = {
  protocolVersion: 2,
  info: clientInfo,
  capabilities: { elicitation: { form: {}, url: {} }, auth: { terminal: {} } },
};

/** Params of `initialize` of a client of the older draft. */
export const seedHello = { protocolVersion: 2, clientInfo, capabilities: {} };

/** {@link connect} by a hello of its own. */
export async function connectAs<S = undefined>(
  hello: object,
  handlers: Partial<AgentHandlers<S>>,
  options: ServeOptions = {},
): Promise<Connected> {
  const connected = serve(handlers, options);
  await connected.client.result("initialize", hello);
  return connected;
}

/** {@link open} by a hello of its own. */
export async function openAs<S = undefined>(
  hello: object,
  handlers: Partial<AgentHandlers<S>>,
  options: ServeOptions = {},
): Promise<Connected & { readonly sessionId: string }> {
  const connected = await connectAs(hello, handlers, options);
  return { ...connected, sessionId: await connected.client.newSession() };
}
