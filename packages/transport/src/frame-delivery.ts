import { type CloseReason, type Receiver, startedTwice } from "./channel.js";
import { FrameError } from "./errors.js";
import { LineParser } from "./line-parser.js";
import { deliverLine } from "./line-reader.js";

/** What keeping one text costs beyond its characters; without it, empty ones would cost nothing. */
const overhead = 1024;

/** Bounds of a {@link FrameDelivery}, in characters. */
export type FrameLimits = { readonly frame: number; readonly unread: number };

/**
 * The reading half of a channel where each text is a message and nobody can hold the sender up: texts in, messages out,
 * with a stop between any two of them. What arrives during a stop is kept, up to a bound.
 */
export class FrameDelivery {
  #receiver: Receiver | undefined;
  #paused = false;
  #delivering = false;
  #stopped = false;
  #end: CloseReason | undefined;
  /** Texts before `#head` are delivered. */
  #texts: string[] = [];
  #head = 0;
  #unread = 0;
  readonly #limits: FrameLimits;
  readonly #parser = new LineParser();
  readonly #onEnd: (reason: CloseReason) => void;

  /** `onEnd` is called once, when everything was delivered or a bound was broken; never after `stop`. */
  constructor(limits: FrameLimits, onEnd: (reason: CloseReason) => void) {
    this.#limits = limits;
    this.#onEnd = onEnd;
  }

  /** Whether texts would have to wait. */
  get paused(): boolean {
    return this.#paused || this.#receiver === undefined;
  }

  start(receiver: Receiver): void {
    if (this.#receiver !== undefined) throw startedTwice();
    this.#receiver = receiver;
    this.#deliver();
  }

  push(text: string): void {
    if (this.#stopped || this.#end) return;
    const { frame, unread } = this.#limits;
    if (text.length > frame) {
      const cause = new FrameError(
        `A message of more than ${frame} characters arrived; raise the limit if it was meant.`,
      );
      return this.end({ kind: "frame", message: cause.message, cause });
    }
    this.#texts.push(text);
    this.#unread += text.length + overhead;
    this.#deliver();
    if (this.#head + 1 >= this.#texts.length || this.#unread <= unread) return;
    this.#finish({ kind: "overflow", message: `More than ${unread} bytes arrived while this side did not read.` });
  }

  /** No more will come; `reason` is told once the rest has been delivered. The first reason stays. */
  end(reason: CloseReason): void {
    this.#end ??= reason;
    this.#deliver();
  }

  pause(): void {
    this.#paused = true;
  }

  resume(): void {
    this.#paused = false;
    this.#deliver();
  }

  /** Nothing will be delivered any more. */
  stop(): void {
    this.#stopped = true;
    this.#texts = [];
    this.#head = 0;
  }

  #deliver(): void {
    // A receiver may resume, pause or close from inside a delivery.
    if (this.#delivering || this.#receiver === undefined) return;
    this.#delivering = true;
    try {
      while (!this.#paused && !this.#stopped && this.#head < this.#texts.length) this.#deliverOne(this.#receiver);
    } catch (cause) {
      this.#finish({ kind: "local", message: `The receiver of a message threw: ${String(cause)}.`, cause });
    } finally {
      this.#delivering = false;
    }
    if (this.#end && !this.#paused && this.#head === this.#texts.length) this.#finish(this.#end);
  }

  #deliverOne(receiver: Receiver): void {
    const text = this.#texts[this.#head++] as string;
    this.#unread -= text.length + overhead;
    if (this.#head === this.#texts.length) {
      this.#texts = [];
      this.#head = 0;
    } else if (this.#head > 1024 && this.#head * 2 > this.#texts.length) {
      this.#texts = this.#texts.slice(this.#head);
      this.#head = 0;
    }
    deliverLine(text, text.length, receiver, this.#parser);
  }

  #finish(reason: CloseReason): void {
    if (this.#stopped) return;
    this.stop();
    this.#onEnd(reason);
  }
}
