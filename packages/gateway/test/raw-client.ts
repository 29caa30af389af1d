import type { Channel } from "@turnkit/transport";

/** A message as it crossed the wire. */
export type Frame = Record<string, any>;

/** A client as bare messages, with a channel whose room the test decides. */
export class RawClient {
  readonly received: Frame[] = [];
  readonly #channel: Channel;
  readonly #waiting: { readonly matches: (frame: Frame) => boolean; readonly resolve: (frame: Frame) => void }[] = [];
  readonly #keep: (frame: Frame) => boolean;
  #nextId = 1;

  /** @param keep returns false for a frame that nobody waits for */
  constructor(channel: Channel, keep: (frame: Frame) => boolean = () => true) {
    this.#channel = channel;
    this.#keep = keep;
    channel.start({ message: (message) => this.#receive(message as Frame), invalidLine: () => undefined });
  }

  async initialize(protocolVersion: 1 | 2, capabilities: object = {}): Promise<Frame> {
    const info = { name: "raw", version: "1.0.0" };
    const hello = { protocolVersion, capabilities, clientCapabilities: capabilities, info, clientInfo: info };
    return (await this.request("initialize", hello)).result;
  }

  /** Sends a request. Settles with the whole answer. */
  request(method: string, params: object): Promise<Frame> {
    const id = this.#nextId++;
    this.#channel.send({ jsonrpc: "2.0", id, method, params });
    return this.next((frame) => frame.id === id && !("method" in frame));
  }

  reply(call: Frame, result: object): void {
    this.#channel.send({ jsonrpc: "2.0", id: call.id, result });
  }

  /** First message, past or future, that fits. */
  next(matches: (frame: Frame) => boolean): Promise<Frame> {
    const known = this.received.find(matches);
    if (known !== undefined) return Promise.resolve(known);
    return new Promise((resolve) => this.#waiting.push({ matches, resolve }));
  }

  get updates(): Frame[] {
    return this.received.filter(({ method }) => method === "session/update").map(({ params }) => params.update);
  }

  notify(method: string, params: object): void {
    this.#channel.send({ jsonrpc: "2.0", method, params });
  }

  pause(): void {
    this.#channel.pause();
  }

  resume(): void {
    this.#channel.resume();
  }

  close(): Promise<unknown> {
    return this.#channel.close();
  }

  #receive(frame: Frame): void {
    if (!this.#keep(frame)) return;
    this.received.push(frame);
    const fitting = this.#waiting.filter(({ matches }) => matches(frame));
    for (const one of fitting) {
      this.#waiting.splice(this.#waiting.indexOf(one), 1);
      one.resolve(frame);
    }
  }
}
