import { once } from "node:events";
import { PassThrough, Writable } from "node:stream";
import type { Channel } from "@turnkit/transport";
import { createStdioChannel } from "@turnkit/transport/node";

/** A message as it crossed the wire. */
export type Frame = { readonly [key: string]: any };

/** The far end of a pipe as bare bytes: nothing of this repository reads or writes here. */
export class RawPipe {
  /** The near end, for the side under attack. */
  readonly channel: Channel;
  /** Number of messages that the attacked side sent. */
  received = 0;
  readonly #input = new PassThrough({ highWaterMark: 64 * 1024 });
  readonly #waiting = new Map<unknown, (frame: Frame) => void>();
  readonly #onCall: (call: Frame) => void;
  #rest = "";

  constructor(onCall: (call: Frame) => void) {
    this.#onCall = onCall;
    const output = new Writable({
      decodeStrings: false,
      write: (chunk: Buffer | string, _encoding, done) => {
        this.#read(chunk.toString());
        done();
      },
    });
    this.channel = createStdioChannel({ input: this.#input, output });
  }

  /** Settles when there is room for more. */
  async write(bytes: Buffer): Promise<void> {
    if (!this.#input.write(bytes)) await once(this.#input, "drain");
  }

  send(frame: object): void {
    this.#input.write(`${JSON.stringify({ jsonrpc: "2.0", ...frame })}\n`);
  }

  /** Asks, and waits for the whole answer. */
  request(id: string, method: string, params: object): Promise<Frame> {
    return new Promise((resolve) => {
      this.#waiting.set(id, resolve);
      this.send({ id, method, params });
    });
  }

  end(): void {
    this.#input.end();
  }

  #read(text: string): void {
    const lines = (this.#rest + text).split("\n");
    this.#rest = lines.pop() ?? "";
    for (const line of lines) this.#receive(JSON.parse(line) as Frame);
  }

  #receive(frame: Frame): void {
    this.received++;
    if ("method" in frame) return this.#onCall(frame);
    const resolve = this.#waiting.get(frame.id);
    this.#waiting.delete(frame.id);
    resolve?.(frame);
  }
}
