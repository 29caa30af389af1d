import type { Channel, CloseReason, Receiver, Room } from "../channel.js";
import type { Message } from "../message.js";
import { Closing, FLUSH_MS, failedReason } from "./closing.js";
import { LineReader } from "./line-reader.js";
import { type LineSink, LineWriter, type WriteLimits, writeLimits } from "./line-writer.js";
import { outgoingLimit } from "./message-size.js";
import { frameLimit } from "./ndjson.js";
import { endWriter, StreamReading } from "./web-stream.js";

/** Two web streams of bytes, for example of a socket or a worker. The channel owns and locks both. */
export type ByteStreams = {
  readonly readable: ReadableStream<Uint8Array>;
  readonly writable: WritableStream<Uint8Array>;
};

/** Bounds of a channel over byte streams, in bytes. */
export type ByteStreamLimits = Partial<WriteLimits> & {
  /**
   * Longest incoming line. A longer one is fatal.
   *
   * @defaultValue 32 MiB
   */
  readonly frame?: number;
};

/**
 * Creates a channel of newline-delimited JSON over web streams, in any runtime. Bounds, batches and errors are those of
 * `createStdioChannel` in `@turnkit/transport/node`.
 *
 * @example
 * const channel = createByteStreamChannel({ readable: socket.readable, writable: socket.writable });
 */
export function createByteStreamChannel(streams: ByteStreams, limits: ByteStreamLimits = {}): Channel {
  return new ByteStreamChannel(streams, limits);
}

class ByteStreamChannel implements Channel {
  readonly closed: Promise<CloseReason>;
  readonly #closing = new Closing((reason) => this.#shutDown(reason));
  readonly #reading: StreamReading<Uint8Array>;
  readonly #writer: WritableStreamDefaultWriter<Uint8Array>;
  readonly #writing: LineWriter;

  constructor({ readable, writable }: ByteStreams, limits: ByteStreamLimits) {
    this.closed = this.#closing.closed;
    const arrivals = new LineReader(limits.frame ?? frameLimit);
    this.#reading = new StreamReading(readable, arrivals, (reason) => void this.#closing.begin(reason));
    this.#writer = writable.getWriter();
    // The write that fails reports the fault. Here it would be an unhandled rejection.
    this.#writer.closed.catch(() => {});
    const bounds = { ...writeLimits, ...limits, message: outgoingLimit(limits) };
    this.#writing = new LineWriter(this.#sink(bounds.unsent), bounds);
  }

  start(receiver: Receiver): void {
    this.#reading.start(receiver);
  }

  send(message: Message): Room {
    return this.#writing.send(message);
  }

  pause(): void {
    this.#reading.pause();
  }

  resume(): void {
    this.#reading.resume();
  }

  close(reason: CloseReason = { kind: "local", message: "This side closed the streams." }): Promise<void> {
    return this.#closing.begin(reason);
  }

  #sink(limit: number): LineSink {
    const encoder = new TextEncoder();
    const fail = (cause: unknown): void => void this.#closing.begin(failedReason("Writing to", cause));
    return {
      encode: (text) => encoder.encode(text),
      allocate: (size) => new Uint8Array(size),
      write: (bytes, written) => void this.#writer.write(bytes).then(written, fail),
      defer: queueMicrotask,
      overflow: () => {
        const message = `The other side did not read: more than ${limit} bytes waited to be written.`;
        void this.#closing.begin({ kind: "overflow", message });
      },
    };
  }

  async #shutDown(reason: CloseReason): Promise<void> {
    this.#reading.stop();
    const patience = setTimeout(() => this.#writing.stop(), FLUSH_MS);
    if (reason.kind === "overflow" || reason.kind === "failed") this.#writing.stop();
    const hasDrained = await this.#writing.finish();
    clearTimeout(patience);
    await endWriter(this.#writer, hasDrained, reason);
    this.#reading.cancel();
  }
}
