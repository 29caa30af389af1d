import { createMemoryPair } from "../src/channels/index.js";
import { type Channel, type ConnectionOptions, createConnection, type Diagnostic, type Route } from "../src/index.js";

/** The other end of a connection under test, as bare messages: what a bug in our own connection cannot hide from. */
export function rawPeer(): { readonly channel: Channel; readonly peer: RawPeer } {
  const [channel, end] = createMemoryPair();
  return { channel, peer: new RawPeer(end) };
}

/** A connection under test that serves some methods, and its raw peer. */
export function open(routes: Record<string, Route["receive"]> = {}, options: ConnectionOptions = {}) {
  const { channel, peer } = rawPeer();
  const diagnostics: Diagnostic[] = [];
  const connection = createConnection(channel, {
    route: (method) => (routes[method] === undefined ? undefined : { receive: routes[method] }),
    onDiagnostic: (diagnostic) => diagnostics.push(diagnostic),
    ...options,
  });
  return { connection, peer, diagnostics };
}

export type Frame = Record<string, unknown>;

/** Sends bare messages and waits for them. */
export class RawPeer {
  readonly received: Frame[] = [];
  readonly #end: Channel;
  readonly #waiting: { readonly matches: (frame: Frame) => boolean; readonly resolve: (frame: Frame) => void }[] = [];

  constructor(end: Channel) {
    this.#end = end;
    end.start({ message: (message) => this.#receive(message as Frame), invalidLine: () => undefined });
  }

  /** Everything sent in one call goes in one write. */
  send(...messages: unknown[]): void {
    for (const message of messages) this.#end.send(message as never);
  }

  request(id: unknown, method: string, params?: unknown): void {
    this.send({ jsonrpc: "2.0", id, method, params });
  }

  /** The first message, past or future, that fits. */
  next(matches: (frame: Frame) => boolean): Promise<Frame> {
    const known = this.received.find(matches);
    if (known !== undefined) return Promise.resolve(known);
    return new Promise((resolve) => this.#waiting.push({ matches, resolve }));
  }

  answerTo(id: unknown): Promise<Frame> {
    return this.next((frame) => frame.id === id && !("method" in frame));
  }

  call(method: string): Promise<Frame> {
    return this.next((frame) => frame.method === method);
  }

  close(): Promise<void> {
    return this.#end.close();
  }

  #receive(frame: Frame): void {
    this.received.push(frame);
    for (const waiting of [...this.#waiting]) {
      if (!waiting.matches(frame)) continue;
      this.#waiting.splice(this.#waiting.indexOf(waiting), 1);
      waiting.resolve(frame);
    }
  }
}
