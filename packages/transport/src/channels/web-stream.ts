import type { CloseReason, Receiver } from "../channel.js";
import { failedReason } from "./closing.js";
import { type Arrivals, Delivery } from "./delivery.js";

/** The reading half of a channel over a web stream, which it locks. */
export class StreamReading<T> {
  readonly #reader: ReadableStreamDefaultReader<T>;
  readonly #delivery: Delivery<T>;
  #isStopped = false;
  #wake = (): void => {};

  /** `onEnd` is called once: when everything was delivered, the stream or the framing broke, or the receiver threw. */
  constructor(readable: ReadableStream<T>, arrivals: Arrivals<T>, onEnd: (reason: CloseReason) => void) {
    this.#reader = readable.getReader();
    this.#delivery = new Delivery(arrivals, onEnd, { rest: (isResting) => !isResting && this.#goOn() });
    // The read that fails reports the fault. Here it would be an unhandled rejection.
    this.#reader.closed.catch(() => {});
  }

  start(receiver: Receiver): void {
    this.#delivery.start(receiver);
    void this.#read();
  }

  pause(): void {
    this.#delivery.pause();
  }

  resume(): void {
    this.#delivery.resume();
    this.#goOn();
  }

  /** Ends all delivery. */
  stop(): void {
    this.#isStopped = true;
    this.#delivery.stop();
    this.#wake();
  }

  cancel(): void {
    this.#reader.cancel().catch(() => {});
  }

  get #mustWait(): boolean {
    return this.#delivery.isPaused || this.#delivery.isResting;
  }

  #goOn(): void {
    if (!this.#mustWait) this.#wake();
  }

  async #read(): Promise<void> {
    try {
      while (!this.#isStopped) {
        if (this.#mustWait)
          await new Promise<void>((resolve) => {
            this.#wake = resolve;
          });
        const { done, value } = await this.#reader.read();
        if (done) break;
        this.#delivery.push(value);
      }
      this.#delivery.end({ kind: "remote", message: "The other side closed the stream." });
    } catch (cause) {
      this.#delivery.end(failedReason("Reading from", cause));
    }
  }
}

/** Closes the stream of a writer if everything was written. Otherwise aborts it: a stuck write would hold up a close. */
export async function endWriter<T>(
  writer: WritableStreamDefaultWriter<T>,
  hasDrained: boolean,
  reason: CloseReason,
): Promise<void> {
  await (hasDrained ? writer.close() : writer.abort(new Error(reason.message))).catch(() => {});
}
