import { PassThrough } from "node:stream";
import type { Frame } from "../frame.js";

/** Pair of pipes between the program under test and a {@link WirePeer}. */
export type Wire = {
  /** Input of the program under test. */
  readonly input: PassThrough;
  /** Output of the program under test. */
  readonly output: PassThrough;
  readonly peer: WirePeer;
};

/**
 * Creates two pipes for the program under test, with a peer at the other end. The peer uses no library code that could hide
 * a fault.
 */
export function createWire(): Wire {
  const input = new PassThrough();
  const output = new PassThrough();
  return { input, output, peer: new WirePeer(output, input) };
}

type Waiting = { readonly matches: (frame: Frame) => boolean; readonly resolve: (frame: Frame) => void };

/** Peer that reads lines as frames and writes frames as lines. */
export class WirePeer {
  /** All received frames, in order. */
  readonly frames: Frame[] = [];
  /** Settles when the program under test has ended its output. */
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

  /** Sends all frames in one write. */
  send(...frames: readonly object[]): void {
    this.raw(frames.map((frame) => `${JSON.stringify({ jsonrpc: "2.0", ...frame })}\n`).join(""));
  }

  /** Writes text unchanged. */
  raw(text: string): void {
    this.#output.write(text);
  }

  /** Ends the input of the program under test. */
  end(): void {
    this.#output.end();
  }

  /** Returns the first matching frame, received earlier or later. */
  next(matches: (frame: Frame) => boolean): Promise<Frame> {
    const known = this.frames.find(matches);
    if (known !== undefined) return Promise.resolve(known);
    return new Promise((resolve) => this.#waiting.add({ matches, resolve }));
  }

  /** Returns the answer to a request of this peer. */
  answer(id: unknown): Promise<Frame> {
    return this.next((frame) => frame.id === id && !("method" in frame));
  }

  /** Returns the call number `nth` (counted from 0) of a method by the program under test. */
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
