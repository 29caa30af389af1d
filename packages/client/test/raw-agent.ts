import { createRawPeer, type RawPeer } from "@turnkit/testing";
import type { Channel, Diagnostic } from "@turnkit/transport";
import { createMemoryPair } from "@turnkit/transport/channels";
import {
  allDialects,
  type Client,
  type ClientOptions,
  connectWith,
  createFileHandlers,
  createTerminalHandlers,
  type Dialect,
  type FileHost,
  outgoingContracts,
  type RestoreOutcome,
  type Session,
  type TerminalHost,
} from "../src/index.js";

/** One message as it is on the wire. */
export type Frame = { readonly [key: string]: any };

/** The agent's end of a connection as bare messages: what a bug of this repository's own agent cannot hide from. */
export class RawAgent {
  readonly received: readonly Frame[];
  readonly #end: Channel;
  readonly #peer: RawPeer;

  constructor(end: Channel) {
    this.#end = end;
    this.#peer = createRawPeer(end, { patienceMs: Number.POSITIVE_INFINITY });
    this.received = this.#peer.received;
  }

  /** Everything sent in one call arrives together, as if by one write. */
  send(...messages: object[]): void {
    for (const message of messages) this.#end.send(message as never);
  }

  /** An update of a session, as a frame. */
  static update(sessionId: string, update: object): object {
    return { jsonrpc: "2.0", method: "session/update", params: { sessionId, update } };
  }

  /** An answer, as a frame. */
  static result({ id }: Frame, result: unknown): object {
    return { jsonrpc: "2.0", id, result };
  }

  /** An error answer, as a frame. */
  static error({ id }: Frame, code: number, message: string, data?: unknown): object {
    return { jsonrpc: "2.0", id, error: { code, message, data } };
  }

  update(sessionId: string, ...updates: object[]): void {
    this.send(...updates.map((update) => RawAgent.update(sessionId, update)));
  }

  /** Pieces of an agent message. */
  say(sessionId: string, ...texts: string[]): void {
    this.update(sessionId, ...texts.map((text) => chunk(text)));
  }

  answer(request: Frame, result: unknown): void {
    this.send(RawAgent.result(request, result));
  }

  refuse(request: Frame, code: number, message: string, data?: unknown): void {
    this.send(RawAgent.error(request, code, message, data));
  }

  request(id: unknown, method: string, params?: unknown): void {
    this.send({ jsonrpc: "2.0", id, method, params });
  }

  ask(id: unknown, sessionId: string, toolCallId = "t1", title = "Edit a.ts"): void {
    this.request(id, "session/request_permission", { sessionId, toolCall: { toolCallId, title }, options: OPTIONS });
  }

  /** The next call of a method that no earlier `call` took, past or future. */
  call(method: string): Promise<Frame> {
    return this.#peer.call(method);
  }

  /** The client's answer to a request of the agent. */
  answerTo(id: unknown): Promise<Frame> {
    return this.#peer.answerTo(id);
  }

  /** Counts the calls of a method so far. */
  count(method: string): number {
    return this.received.filter((frame) => frame.method === method).length;
  }

  close(): Promise<void> {
    return this.#end.close();
  }
}

export const OPTIONS = [
  { optionId: "yes", name: "Allow", kind: "allow_once" },
  { optionId: "no", name: "Reject", kind: "reject_once" },
];

export const chunk = (text: string) => ({ sessionUpdate: "agent_message_chunk", content: { type: "text", text } });

/** Everything that the client asks for, unless a test says otherwise. */
export const CAPABLE = {
  loadSession: true,
  promptCapabilities: { image: true, audio: true, embeddedContext: true },
  mcpCapabilities: { http: true, sse: true },
  sessionCapabilities: { resume: {}, close: {}, additionalDirectories: {} },
};

export type Options = Partial<Omit<ClientOptions, "files" | "terminals">> & {
  readonly dialects?: readonly Dialect[];
  readonly files?: FileHost;
  readonly terminals?: TerminalHost;
};
type Initialized = { readonly agentCapabilities?: object; readonly [key: string]: unknown };

/** A client before the agent answered. */
export function dial({ dialects = allDialects, files, terminals, ...options }: Options = {}) {
  const [channel, end] = createMemoryPair();
  const agent = new RawAgent(end);
  const diagnostics: Diagnostic[] = [];
  const connecting = connectWith(dialects, channel, {
    info: { name: "test-client", version: "1.0.0" },
    validateOutgoing: outgoingContracts,
    onDiagnostic: (diagnostic) => diagnostics.push(diagnostic),
    ...(files && { files: createFileHandlers(files) }),
    ...(terminals && { terminals: createTerminalHandlers(terminals) }),
    ...options,
  });
  connecting.catch(() => undefined);
  return { agent, connecting, channel, diagnostics };
}

/** A client that has agreed on version 1. */
export async function open(options: Options = {}, result: Initialized = {}) {
  const { agent, connecting, ...others } = dial(options);
  const agentInfo = { name: "raw-agent", version: "0.0.1" };
  const said = { protocolVersion: 1, agentCapabilities: CAPABLE, agentInfo, ...result };
  agent.answer(await agent.call("initialize"), said);
  return { agent, client: await connecting, ...others };
}

/** A client with one session. */
export async function openSession(
  options: Options = {},
  { onEvent, result, ...more }: { onEvent?: Parameters<Client["newSession"]>[1]; result?: object } & Initialized = {},
) {
  const opened = await open(options, more);
  const session = await newSession(opened, "s-1", onEvent, result);
  return { ...opened, session };
}

/** One more session. */
export async function newSession(
  { agent, client }: { agent: RawAgent; client: Client },
  sessionId: string,
  onEvent?: Parameters<Client["newSession"]>[1],
  result: object = {},
) {
  const opening = client.newSession({ cwd: "/work" }, onEvent);
  agent.answer(await agent.call("session/new"), { sessionId, ...result });
  return opening;
}

/** The session that came back; throws what an outcome without one says. */
export async function back(restoring: Promise<RestoreOutcome>): Promise<Session> {
  const outcome = await restoring;
  if (outcome.status === "unavailable") throw outcome.error;
  return outcome.session;
}

/** Lets everything that is on its way arrive: a question of the agent whose answer comes after all before it. */
export async function settle(agent: RawAgent): Promise<void> {
  const id = `settle-${agent.received.length}-${Math.random()}`;
  agent.request(id, "_settle");
  await agent.answerTo(id);
}

/** A promise and the function that fulfils it. */
export function gate<T = void>(): { readonly promise: Promise<T>; readonly open: (value: T) => void } {
  let open: (value: T) => void = () => undefined;
  const promise = new Promise<T>((resolve) => {
    open = resolve;
  });
  return { promise, open };
}

/** Returns true if a promise settles within the microtasks that are due. */
export async function isSettled(promise: Promise<unknown>): Promise<boolean> {
  let settled = false;
  const note = () => {
    settled = true;
  };
  promise.then(note, note);
  for (let tick = 0; tick < 20; tick++) await Promise.resolve();
  return settled;
}
