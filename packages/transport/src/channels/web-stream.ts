import type { Channel, CloseReason, Message, Receiver, Room } from "../channel.js";
import { Closing, failedReason } from "./closing.js";
import { type Arrivals, Delivery } from "./delivery.js";

/**
 * Channel over two web streams. The channel locks the streams, and nothing else may use them. Subclasses implement the
 * writing.
 */
export abstract class WebStreamChannel<In, Out> implements Channel {
  readonly closed: Promise<CloseReason>;
  protected readonly closing = new Closing((reason) => this.#shutDown(reason));
  protected readonly writer: WritableStreamDefaultWriter<Out>;
  readonly #reader: ReadableStreamDefaultReader<In>;
  readonly #delivery: Delivery<In>;
  #wake = (): void => {};

  constructor(readable: ReadableStream<In>, writable: WritableStream<Out>, arrivals: Arrivals<In>) {
    this.closed = this.closing.closed;
    this.#reader = readable.getReader();
    this.writer = writable.getWriter();
    this.#delivery = new Delivery(arrivals, (reason) => void this.closing.begin(reason), {
      onRest: (isResting) => !isResting && this.#readOn(),
    });
    // The read or write that failed reports the fault. These promises reject too. Without a handler, that would be an
    // unhandled rejection.
    this.#reader.closed.catch(() => {});
    this.writer.closed.catch(() => {});
  }

  abstract send(message: Message): Room;

  /**
   * Writes all waiting messages within `FLUSH_MS`. If the output `isBroken`, writes nothing. Resolves to `true` if all
   * messages were written.
   */
  protected abstract flush(isBroken: boolean): Promise<boolean>;

  start(receiver: Receiver): void {
    this.#delivery.start(receiver);
    void this.#read();
  }

  pause(): void {
    this.#delivery.pause();
  }

  resume(): void {
    this.#delivery.resume();
    this.#readOn();
  }

  close(reason: CloseReason = { kind: "local", message: "This side closed the streams." }): Promise<void> {
    return this.closing.begin(reason);
  }

  /** Closes the channel after a write that failed. */
  protected writeFailed(cause: unknown): void {
    void this.closing.begin(failedReason("Writing to", cause));
  }

  get #mustWait(): boolean {
    return this.#delivery.isPaused || this.#delivery.isResting;
  }

  #readOn(): void {
    if (!this.#mustWait) this.#wake();
  }

  async #read(): Promise<void> {
    try {
      while (!this.closing.hasBegun) {
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
      this.#delivery.end(readFailed(cause));
    }
  }

  async #shutDown(reason: CloseReason): Promise<void> {
    this.#delivery.stop();
    this.#wake();
    const isWritten = await this.flush(reason.kind === "overflow" || reason.kind === "failed");
    // If messages are left, the stream is aborted, because a stuck write would block the close.
    await (isWritten ? this.writer.close() : this.writer.abort(new Error(reason.message))).catch(() => {});
    this.#reader.cancel().catch(() => {});
  }
}

/** Returns the reason for the end of a channel whose stream cannot be read. */
function readFailed(cause: unknown): CloseReason {
  const reason = failedReason("Reading from", cause);
  // The streams of `ndJsonStream` begin to use their arguments later, so nothing fails earlier.
  if (!(cause instanceof TypeError) || !/\bget(?:Reader|Writer)\b/.test(cause.message)) return reason;
  const advice = "Pass the streams in their order: ndJsonStream of the official SDK takes the output, then the input.";
  return { ...reason, message: `${reason.message} ${advice}` };
}
