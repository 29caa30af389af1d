import { Buffer } from "node:buffer";
import type { Readable, Writable } from "node:stream";
import type { Channel, CloseReason, Receiver, Room } from "../channel.js";
import { LineArrivals } from "../channels/arrivals.js";
import { Closing, FLUSH_MS, textOf } from "../channels/closing.js";
import { Delivery } from "../channels/delivery.js";
import { type LineSink, LineWriter, type WriteLimits, writeLimits } from "../channels/line-writer.js";
import { outgoingLimit } from "../channels/message-size.js";
import { frameLimit } from "../channels/ndjson.js";
import type { Message } from "../message.js";
import { decodeBuffer } from "./decode.js";

/** Bounds of a channel over a pipe, in bytes. */
export type StdioLimits = Partial<WriteLimits> & {
  /** The longest incoming line; a longer one is fatal. 32 MiB unless said otherwise. */
  readonly frame?: number;
};

/** What {@link createStdioChannel} joins. */
export type StdioOptions = {
  /** Where lines come from. The channel owns it: nobody else may read it. */
  readonly input: Readable;
  /** Where lines go. The channel owns it, and ends it on close. */
  readonly output: Writable;
  readonly limits?: StdioLimits;
  /** How long a close waits for the other side to take what was sent, in milliseconds. 5 000 unless said otherwise. */
  readonly flushMs?: number;
};

/** A {@link Channel} over a pipe, whose owner may know more about its end than the pipe does. */
export interface StdioChannel extends Channel {
  /**
   * Ends the channel after `afterMs` in which it might read (it is started and not paused), unless the pipe ends by
   * itself before: for a pipe whose writer is dead but that somebody else still holds open.
   */
  expectEnd(reason: CloseReason, afterMs: number): void;
}

/**
 * A channel of newline-delimited JSON over Node streams, for example `process.stdin` and `process.stdout`.
 *
 * What one tick sends is written together at its end (in batches of 64 KiB; a larger message alone); a call or an answer
 * with which it begins leaves at once, since somebody waits for it. `send` answers with a promise
 * of room above 256 KiB that the other side has not taken; above 64 MiB the channel closes as `overflow`. Errors of the
 * streams close it as `failed`; they never become uncaught exceptions, not even after the close. Reading goes on after
 * an error of the output, for a quarter of a second at most, because answers may be on their way.
 *
 * `send` throws a `TypeError` for a message that JSON cannot express, and an `AcpError` `too_large` for one of more than
 * 32 MiB, on which the other side would close; nothing else makes it throw.
 */
export function createStdioChannel(options: StdioOptions): StdioChannel {
  return new PipeChannel(options);
}

/** What was written just before a pipe broke gets so much time to arrive, in milliseconds. */
const lastWordsMs = 250;

class PipeChannel implements StdioChannel {
  readonly closed: Promise<CloseReason>;
  readonly #input: Readable;
  readonly #output: Writable;
  readonly #flushMs: number;
  readonly #reading: Delivery<Uint8Array>;
  readonly #writing: LineWriter;
  readonly #closing = new Closing((reason) => this.#shutDown(reason));
  #expected: { reason: CloseReason; afterMs: number; timer?: NodeJS.Timeout } | undefined;

  constructor({ input, output, limits, flushMs = FLUSH_MS }: StdioOptions) {
    this.#input = input;
    this.#output = output;
    this.#flushMs = flushMs;
    this.closed = this.#closing.closed;
    const arrivals = new LineArrivals(limits?.frame ?? frameLimit, decodeBuffer);
    this.#reading = new Delivery(arrivals, (reason) => void this.#closing.begin(reason));
    const bounds = { ...writeLimits, ...limits, message: outgoingLimit(limits) };
    this.#writing = new LineWriter(this.#sink(bounds.unsent), bounds);
    const remote: CloseReason = { kind: "remote", message: "The other side closed the pipe." };
    const cut: CloseReason = { kind: "failed", message: "The input was closed before its end." };
    input.on("end", () => this.#reading.end(remote));
    input.on("close", () => this.#reading.end(cut));
    // These two stay for ever: an error after the close must not end the process.
    input.on("error", (cause) => this.#reading.end(failed("reading from", cause)));
    output.on("error", (cause) => this.#outputFailed(cause));
    output.on("close", () => this.#outputFailed(new Error("it was closed")));
  }

  start(receiver: Receiver): void {
    this.#reading.start(receiver);
    if (this.#closing.hasBegun) return;
    if (this.#input.destroyed || this.#input.readableEnded) {
      this.#reading.end({ kind: "failed", message: "The input had ended before the channel was started." });
      return;
    }
    this.#input.on("data", (chunk: Uint8Array) => this.#reading.push(chunk));
    if (this.#reading.isPaused) this.#input.pause();
    this.#watchForEnd();
  }

  send(message: Message): Room {
    return this.#writing.send(message);
  }

  pause(): void {
    if (this.#closing.hasBegun) return;
    this.#reading.pause();
    this.#input.pause();
    clearTimeout(this.#expected?.timer);
  }

  resume(): void {
    if (this.#closing.hasBegun) return;
    this.#reading.resume();
    if (this.#closing.hasBegun || this.#reading.isPaused) return;
    this.#input.resume();
    this.#watchForEnd();
  }

  close(reason: CloseReason = { kind: "local", message: "This side closed the pipe." }): Promise<void> {
    return this.#closing.begin(reason);
  }

  expectEnd(reason: CloseReason, afterMs: number): void {
    this.#expected ??= { reason, afterMs };
    this.#watchForEnd();
  }

  #sink(limit: number): LineSink {
    const output = this.#output;
    const reading = this.#reading;
    return {
      encode: (text) => Buffer.from(text, "utf8"),
      allocate: (size) => Buffer.allocUnsafeSlow(size),
      // A stream that is destroyed tells only the callback, and emits nothing.
      write: (bytes, written) => {
        reading.hold();
        output.write(bytes, (error) => (error ? this.#outputFailed(error) : written()));
        reading.release();
      },
      // After the microtasks of this tick, so that a chain of awaited sends becomes one write.
      defer: (flush) => queueMicrotask(() => process.nextTick(flush)),
      overflow: () => {
        const message = `The other side did not read: more than ${limit} bytes waited to be written.`;
        void this.#closing.begin({ kind: "overflow", message });
      },
    };
  }

  #watchForEnd(): void {
    const expected = this.#expected;
    if (!expected || this.#closing.hasBegun || this.#reading.isPaused) return;
    clearTimeout(expected.timer);
    expected.timer = setTimeout(() => this.#reading.end(expected.reason), expected.afterMs);
  }

  #outputFailed(cause: unknown): void {
    this.#writing.stop();
    if (!this.#closing.hasBegun) this.expectEnd(failed("writing to", cause), lastWordsMs);
  }

  async #shutDown(reason: CloseReason): Promise<void> {
    this.#reading.stop();
    clearTimeout(this.#expected?.timer);
    if (reason.kind === "overflow") this.#writing.stop();
    // Nobody is told any more; reading on keeps a peer that writes before it reads from blocking the last flush.
    this.#input.resume();
    const patience = setTimeout(() => this.#writing.stop(), this.#flushMs).unref();
    const drained = await this.#writing.finish();
    clearTimeout(patience);
    if (drained) this.#output.end();
    else this.#output.destroy();
    this.#input.destroy();
  }
}

function failed(doing: string, cause: unknown): CloseReason {
  return { kind: "failed", message: `The pipe failed when ${doing} the other side: ${textOf(cause)}.`, cause };
}
