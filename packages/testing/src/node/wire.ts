import { PassThrough } from "node:stream";
import type { Frame } from "../frame.js";

/** A pipe pair between a party under test and a {@link WirePeer}. */
export type Wire = {
  /** What the party reads. */
  readonly input: PassThrough;
  /** What the party writes. */
  readonly output: PassThrough;
  readonly peer: WirePeer;
};

/** Two pipes, with a scripted peer at their far end that speaks in bare lines: no code of ours hides a fault there. */
export function createWire(): Wire {
  const input = new PassThrough();
  const output = new PassThrough();
  return { input, output, peer: new WirePeer(output, input) };
}

type Waiting = { readonly matches: (frame: Frame) => boolean; readonly resolve: (frame: Frame) => void };

/** Reads lines into frames and writes frames as lines. */
export class WirePeer {
  /** Everything received so far, in order. */
  readonly frames: Frame[] = [];
  /** Settles when the party ended its output. */
  readonly ended: Promise<void>;
  readonly #output: NodeJS.WritableStream;
  readonly #waiting = new Set<Waiting>();
  #rest = "";

  constructor(input: NodeJS.ReadableStream, output: NodeJS.WritableStream) {
    this.#output = output;
    input.setEncoding("utf8");
    input.on("data", (text: string) => this.#read(text));
    this.ended = new Promise((resolve) => input.on("end", resolve));
  }

  /** All frames of one call leave in one write. */
  send(...frames: readonly object[]): void {
    this.raw(frames.map((frame) => `${JSON.stringify({ jsonrpc: "2.0", ...frame })}\n`).join(""));
  }

  /** Writes text as it is. */
  raw(text: string): void {
    this.#output.write(text);
  }

  /** Ends the party's input. */
  end(): void {
    this.#output.end();
  }

  /** The first frame, received or yet to come, that fits. */
  next(matches: (frame: Frame) => boolean): Promise<Frame> {
    const known = this.frames.find(matches);
    if (known !== undefined) return Promise.resolve(known);
    return new Promise((resolve) => this.#waiting.add({ matches, resolve }));
  }

  /** The answer to our question. */
  answer(id: unknown): Promise<Frame> {
    return this.next((frame) => frame.id === id && !("method" in frame));
  }

  /** The `nth` call (from 0) of a method by the party. */
  call(method: string, nth = 0): Promise<Frame> {
    return this.next((frame) => frame.method === method && this.#calls(method).indexOf(frame) === nth);
  }

  #calls(method: string): Frame[] {
    return this.frames.filter((frame) => frame.method === method);
  }

  #read(text: string): void {
    const lines = (this.#rest + text).split("\n");
    this.#rest = lines.pop() ?? "";
    for (const line of lines) {
      const frame = JSON.parse(line) as Frame;
      this.frames.push(frame);
      for (const waiting of this.#waiting) {
        if (!waiting.matches(frame)) continue;
        this.#waiting.delete(waiting);
        waiting.resolve(frame);
      }
    }
  }
}
