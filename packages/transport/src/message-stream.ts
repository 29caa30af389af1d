import { type Channel, type CloseReason, type Receiver, type Room, startedTwice } from "./channel.js";
import { ConnectionClosedError } from "./errors.js";
import { withinGrace } from "./grace.js";
import { estimateBytes } from "./memory.js";
import type { Message } from "./message.js";

/**
 * Two web streams of message objects: the shape of the official SDK's `Stream`, so that what speaks to that SDK (its
 * own transports, a WebSocket adapter) speaks to this library too, and the other way round.
 */
export type MessageStream<In = unknown, Out = Message> = {
  readonly readable: ReadableStream<In>;
  readonly writable: WritableStream<Out>;
};

const highWaterMessages = 64;
const unsentLimit = 64 * 1024 * 1024;

/**
 * A channel over streams of message objects, which it owns and locks. `send` answers with a promise of room from 64
 * unwritten messages on; above about 64 MiB the channel closes as `overflow`.
 */
export function createMessageStreamChannel(stream: MessageStream): Channel {
  return new MessageStreamChannel(stream);
}

class MessageStreamChannel implements Channel {
  readonly closed: Promise<CloseReason>;
  #settle!: (reason: CloseReason) => void;
  readonly #reader: ReadableStreamDefaultReader<unknown>;
  readonly #writer: WritableStreamDefaultWriter<Message>;
  #started = false;
  #paused = false;
  #wake: (() => void) | undefined;
  #finished: Promise<void> | undefined;
  #unsent = 0;
  #unsentBytes = 0;
  #lastWrite: Promise<void> = Promise.resolve();
  #room: Promise<void> | undefined;
  #makeRoom: (() => void) | undefined;

  constructor({ readable, writable }: MessageStream) {
    this.closed = new Promise((resolve) => {
      this.#settle = resolve;
    });
    this.#reader = readable.getReader();
    this.#writer = writable.getWriter();
    this.#reader.closed.catch(() => {});
    this.#writer.closed.catch(() => {});
  }

  start(receiver: Receiver): void {
    if (this.#started) throw startedTwice();
    this.#started = true;
    void this.#read(receiver);
  }

  send(message: Message): Room {
    if (this.#finished) return undefined;
    const bytes = estimateBytes(message);
    this.#unsent++;
    this.#unsentBytes += bytes;
    this.#lastWrite = this.#writer.write(message).then(
      () => this.#written(bytes),
      (cause: unknown) => void this.#finish(failed("Writing to", cause)),
    );
    if (this.#unsentBytes > unsentLimit && this.#unsent > 1) {
      void this.#finish({
        kind: "overflow",
        message: "The other side did not read: over 64 MiB waited to be written.",
      });
      return undefined;
    }
    if (this.#unsent < highWaterMessages) return undefined;
    this.#room ??= new Promise((resolve) => {
      this.#makeRoom = resolve;
    });
    return this.#room;
  }

  pause(): void {
    this.#paused = true;
  }

  resume(): void {
    this.#paused = false;
    this.#wake?.();
  }

  close(reason: CloseReason = { kind: "local", message: "This side closed the streams." }): Promise<void> {
    return this.#finish(reason);
  }

  async #read(receiver: Receiver): Promise<void> {
    try {
      while (!this.#finished) {
        const { done, value } = await this.#reader.read();
        // A message that was read before the pause waits here; nothing more is read.
        while (this.#paused && !this.#finished) {
          await new Promise<void>((resolve) => {
            this.#wake = resolve;
          });
        }
        if (done) break;
        if (!this.#finished) this.#deliver(receiver, value);
      }
      await this.#finish({ kind: "remote", message: "The other side closed the stream." });
    } catch (cause) {
      await this.#finish(failed("Reading from", cause));
    }
  }

  #deliver(receiver: Receiver, message: unknown): void {
    try {
      receiver.message(message, estimateBytes(message));
    } catch (cause) {
      void this.#finish({ kind: "local", message: `The receiver of a message threw: ${String(cause)}.`, cause });
    }
  }

  #written(bytes: number): void {
    this.#unsent--;
    this.#unsentBytes -= bytes;
    if (this.#unsent < highWaterMessages) this.#openRoom();
  }

  #openRoom(): void {
    this.#makeRoom?.();
    this.#room = undefined;
    this.#makeRoom = undefined;
  }

  #finish(reason: CloseReason): Promise<void> {
    this.#finished ??= this.#shutDown(reason);
    return this.#finished;
  }

  async #shutDown(reason: CloseReason): Promise<void> {
    this.#wake?.();
    this.#openRoom();
    if (reason.kind !== "local") this.#settle(reason);
    const polite =
      reason.kind !== "overflow" && reason.kind !== "failed" && (await withinGrace(this.#lastWrite, flushMs));
    await (polite ? this.#writer.close() : this.#writer.abort(new Error(reason.message))).catch(() => {});
    this.#reader.cancel().catch(() => {});
    this.#settle(reason);
  }
}

/** How long a close waits for the other side to take what was sent, in milliseconds. */
const flushMs = 5000;

/**
 * Offers a channel, which must not be started yet, as streams of message objects, for example to the official SDK.
 * Flow follows through: an unread `readable` pauses the channel, and a write settles when the channel has room. Noise
 * is dropped. Closing the `writable` or cancelling the `readable` closes the channel. The channel's end closes the
 * `readable` once everything was read, with an error if it was not in good order, and makes writes reject with a
 * `ConnectionClosedError`.
 */
export function toMessageStream<In = Message>(channel: Channel): MessageStream<In, Message> {
  let over: CloseReason | undefined;
  let isCancelled = false;
  let failure: ConnectionClosedError | undefined;
  const close = (): Promise<void> => {
    over ??= { kind: "local", message: "This side closed the streams." };
    return channel.close(over);
  };
  const readable = new ReadableStream<In>({
    start(controller) {
      channel.start({
        message(message) {
          controller.enqueue(message as In);
          if ((controller.desiredSize ?? 0) <= 0) channel.pause();
        },
        invalidLine() {},
      });
      void channel.closed.then((reason) => {
        over = reason;
        if (isCancelled) return;
        const inOrder = reason.cause === undefined && /^(local|remote)$/.test(reason.kind);
        if (inOrder) return controller.close();
        failure = new ConnectionClosedError("The channel ended", reason);
        // An error would drop what was not read yet.
        if ((controller.desiredSize ?? 1) > 0) controller.error(failure);
      });
    },
    pull(controller) {
      if (failure === undefined) channel.resume();
      else controller.error(failure);
    },
    cancel() {
      isCancelled = true;
      return close();
    },
  });
  const writable = new WritableStream<Message>({
    start(controller) {
      void channel.closed.then((reason) => controller.error(notSent(reason)));
    },
    async write(message) {
      if (over === undefined) await channel.send(message);
      // The channel may have closed meanwhile, or over this message.
      if (over !== undefined) throw notSent(over);
    },
    close,
    abort: close,
  });
  return { readable, writable };
}

const notSent = (reason: CloseReason) => new ConnectionClosedError("The message was not sent", reason);

function failed(what: string, cause: unknown): CloseReason {
  const text = cause instanceof Error ? cause.message : String(cause);
  return { kind: "failed", message: `${what} the other side failed: ${text}.`, cause };
}
