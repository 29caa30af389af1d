import { type CloseReason, type Receiver, startedTwice } from "./channel.js";
import { FrameError } from "./errors.js";
import { LineParser } from "./line-parser.js";
import { type Decode, deliverLine, LineReader } from "./line-reader.js";

/** The reading half of every channel of lines: chunks in, messages out, with a stop between any two of them. */
export class LineDelivery {
  #receiver: Receiver | undefined;
  #paused = false;
  #pumping = false;
  #stopped = false;
  #held = false;
  /** Something came while it was held. */
  #isDue = false;
  #end: CloseReason | undefined;
  readonly #reader: LineReader;
  readonly #parser = new LineParser();
  readonly #onEnd: (reason: CloseReason) => void;

  /** `onEnd` is called once, when everything was delivered or the bytes broke the framing; never after `stop`. */
  constructor(limit: number, decode: Decode, onEnd: (reason: CloseReason) => void) {
    this.#reader = new LineReader(limit, decode);
    this.#onEnd = onEnd;
  }

  /** Whether chunks would have to wait. */
  get paused(): boolean {
    return this.#paused || this.#receiver === undefined;
  }

  start(receiver: Receiver): void {
    if (this.#receiver !== undefined) throw startedTwice();
    this.#receiver = receiver;
    this.#pump();
  }

  push(chunk: Uint8Array): void {
    if (this.#stopped || this.#end) return;
    this.#reader.push(chunk);
    this.#pump();
  }

  /** No more bytes will come; `reason` is told once the rest has been delivered. The first reason stays. */
  end(reason: CloseReason): void {
    if (this.#end) return;
    this.#end = reason;
    this.#reader.end();
    this.#pump();
  }

  pause(): void {
    this.#paused = true;
  }

  resume(): void {
    this.#paused = false;
    this.#pump();
  }

  /**
   * Nothing is delivered until `release`, and soon after it what came meanwhile: pipes within one process may bring the
   * answer before the write of the question returns.
   */
  hold(): void {
    this.#held = true;
  }

  release(): void {
    this.#held = false;
    if (!this.#isDue) return;
    this.#isDue = false;
    queueMicrotask(() => this.#pump());
  }

  /** Nothing will be delivered any more. */
  stop(): void {
    this.#stopped = true;
  }

  #pump(): void {
    // A receiver may resume, pause or close from inside a delivery.
    if (this.#pumping || this.#receiver === undefined) return;
    if (this.#held) {
      this.#isDue = true;
      return;
    }
    this.#pumping = true;
    try {
      while (!this.#paused && !this.#stopped) {
        const line = this.#reader.next();
        if (line !== undefined) {
          deliverLine(line, this.#reader.bytes, this.#receiver, this.#parser);
          continue;
        }
        if (this.#end) this.#finish(this.#end);
        break;
      }
    } catch (cause) {
      this.#finish(faultOf(cause));
    } finally {
      this.#pumping = false;
    }
  }

  #finish(reason: CloseReason): void {
    if (this.#stopped) return;
    this.#stopped = true;
    this.#onEnd(reason);
  }
}

function faultOf(cause: unknown): CloseReason {
  if (cause instanceof FrameError) return { kind: "frame", message: cause.message, cause };
  return { kind: "local", message: `The receiver of a message threw: ${String(cause)}.`, cause };
}
