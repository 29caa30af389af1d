import type { Channel, CloseReason, Receiver, Room } from "./channel.js";
import { LineDelivery } from "./line-delivery.js";
import { decodeUtf8 } from "./line-reader.js";
import { type LineSink, LineWriter, type WriteLimits, writeLimits } from "./line-writer.js";
import type { Message } from "./message.js";
import { outgoingLimit } from "./message-size.js";
import { frameLimit } from "./ndjson.js";

/** Two web streams of bytes, for example of a socket or a worker. The channel owns and locks both. */
export type ByteStreams = {
  readonly readable: ReadableStream<Uint8Array>;
  readonly writable: WritableStream<Uint8Array>;
};

/** Bounds of a channel over byte streams, in bytes. */
export type ByteStreamLimits = Partial<WriteLimits> & {
  /** The longest incoming line; a longer one is fatal. 32 MiB unless said otherwise. */
  readonly frame?: number;
};

/**
 * A channel of newline-delimited JSON over web streams; it runs anywhere. Bounds, batches and errors are those of
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
  #settle!: (reason: CloseReason) => void;
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;
  readonly #writer: WritableStreamDefaultWriter<Uint8Array>;
  readonly #reading: LineDelivery;
  readonly #writing: LineWriter;
  #wake: (() => void) | undefined;
  #finished: Promise<void> | undefined;

  constructor({ readable, writable }: ByteStreams, limits: ByteStreamLimits) {
    this.closed = new Promise((resolve) => {
      this.#settle = resolve;
    });
    this.#reader = readable.getReader();
    this.#writer = writable.getWriter();
    // What breaks is told by the write that fails; these would otherwise be unhandled rejections.
    this.#reader.closed.catch(() => {});
    this.#writer.closed.catch(() => {});
    this.#reading = new LineDelivery(limits.frame ?? frameLimit, decodeUtf8, (reason) => void this.#finish(reason));
    this.#writing = new LineWriter(this.#sink(limits.unsent ?? writeLimits.unsent), {
      ...writeLimits,
      ...limits,
      message: outgoingLimit(limits),
    });
  }

  start(receiver: Receiver): void {
    this.#reading.start(receiver);
    void this.#read();
  }

  send(message: Message): Room {
    return this.#writing.send(message);
  }

  pause(): void {
    this.#reading.pause();
  }

  resume(): void {
    this.#reading.resume();
    if (!this.#reading.paused) this.#wake?.();
  }

  close(reason: CloseReason = { kind: "local", message: "This side closed the streams." }): Promise<void> {
    return this.#finish(reason);
  }

  #sink(limit: number): LineSink {
    const encoder = new TextEncoder();
    return {
      encode: (text) => encoder.encode(text),
      allocate: (size) => new Uint8Array(size),
      write: (bytes, written) => {
        this.#writer.write(bytes).then(written, (cause: unknown) => void this.#finish(failed("Writing to", cause)));
      },
      defer: queueMicrotask,
      overflow: () => {
        const message = `The other side did not read: more than ${limit} bytes waited to be written.`;
        void this.#finish({ kind: "overflow", message });
      },
    };
  }

  async #read(): Promise<void> {
    try {
      while (!this.#finished) {
        if (this.#reading.paused)
          await new Promise<void>((resolve) => {
            this.#wake = resolve;
          });
        const { done, value } = await this.#reader.read();
        if (done) break;
        this.#reading.push(value);
      }
      this.#reading.end({ kind: "remote", message: "The other side closed the stream." });
    } catch (cause) {
      this.#reading.end(failed("Reading from", cause));
    }
  }

  #finish(reason: CloseReason): Promise<void> {
    this.#finished ??= this.#shutDown(reason);
    return this.#finished;
  }

  async #shutDown(reason: CloseReason): Promise<void> {
    this.#reading.stop();
    this.#wake?.();
    if (reason.kind !== "local") this.#settle(reason);
    await closeWriter(this.#writer, this.#writing, reason);
    this.#reader.cancel().catch(() => {});
    this.#settle(reason);
  }
}

/** How long a close waits for the other side to take what was sent, in milliseconds. */
const flushMs = 5000;

async function closeWriter(
  writer: WritableStreamDefaultWriter<Uint8Array>,
  writing: LineWriter,
  reason: CloseReason,
): Promise<void> {
  const patience = setTimeout(() => writing.stop(), flushMs);
  if (reason.kind === "overflow" || reason.kind === "failed") writing.stop();
  const drained = await writing.finish();
  clearTimeout(patience);
  // What is stuck would hold a polite close for ever.
  await (drained ? writer.close() : writer.abort(new Error(reason.message))).catch(() => {});
}

function failed(what: string, cause: unknown): CloseReason {
  const text = cause instanceof Error ? cause.message : String(cause);
  return { kind: "failed", message: `${what} the other side failed: ${text}.`, cause };
}
