import type { Channel, CloseReason, Message, Room } from "../channel.js";
import { checkChannel, checkStreams } from "../check-argument.js";
import { ConnectionClosedError } from "../errors.js";
import { Fifo, PendingRoom, withinGrace } from "../waiting.js";
import { FLUSH_MS } from "./closing.js";
import type { Arrivals } from "./delivery.js";
import { checkedEstimate, estimateBytes, overflowReason, unsentLimit } from "./message-size.js";
import { WebStreamChannel } from "./web-stream.js";

/**
 * Two web streams of message objects, in the shape of the official SDK's `Stream`. Transports and adapters for that SDK
 * therefore work with this library, and transports of this library with that SDK.
 */
export type MessageStream<In = unknown, Out = Message> = {
  readonly readable: ReadableStream<In>;
  readonly writable: WritableStream<Out>;
};

const highWaterMessages = 64;
const highWaterBytes = 256 * 1024;

/**
 * Creates a channel over streams of message objects. The channel locks the streams, and nothing else may use them.
 *
 * - From 64 unwritten messages or about 256 KiB on, `send` returns a promise of room.
 * - Above about 64 MiB the channel closes as `overflow`.
 * - `send` throws `too_large` for a message of more than 32 MiB as JSON, in the same way as channels of bytes.
 */
export function createMessageStreamChannel(stream: MessageStream): Channel {
  checkStreams("createMessageStreamChannel", stream);
  return new MessageStreamChannel(stream.readable, stream.writable, messageArrivals());
}

class MessageStreamChannel extends WebStreamChannel<unknown, Message> {
  #unsent = 0;
  #unsentBytes = 0;
  #lastWrite: Promise<void> = Promise.resolve();
  readonly #room = new PendingRoom();

  send(message: Message): Room {
    if (this.closing.hasBegun) return undefined;
    const bytes = checkedEstimate(message);
    this.#unsent += 1;
    this.#unsentBytes += bytes;
    this.#lastWrite = this.writer.write(message).then(
      () => this.#written(bytes),
      (cause: unknown) => this.writeFailed(cause),
    );
    if (this.#unsentBytes > unsentLimit && this.#unsent > 1) {
      void this.closing.begin(overflowReason(unsentLimit));
      return undefined;
    }
    return this.#hasRoom ? undefined : this.#room.wait();
  }

  #written(bytes: number): void {
    this.#unsent -= 1;
    this.#unsentBytes -= bytes;
    if (this.#hasRoom) this.#room.open();
  }

  get #hasRoom(): boolean {
    return this.#unsent < highWaterMessages && this.#unsentBytes < highWaterBytes;
  }

  protected async flush(isBroken: boolean): Promise<boolean> {
    this.#room.open();
    return !isBroken && (await withinGrace(this.#lastWrite, FLUSH_MS));
  }
}

function messageArrivals(): Arrivals<unknown> {
  const waiting = new Fifo<unknown>();
  return {
    push: (message) => waiting.push(message),
    deliverNext(receiver) {
      if (waiting.length === 0) return false;
      const message = waiting.shift();
      receiver.message(message, estimateBytes(message));
      return true;
    },
  };
}

/**
 * Converts a channel to two streams of message objects, for example for the official SDK. The channel must not be
 * started.
 *
 * - If nobody reads the `readable`, the channel is paused. A write settles when the channel has room.
 * - Lines that are not JSON are dropped.
 * - Closing the `writable` or cancelling the `readable` closes the channel.
 * - When the channel ends, the `readable` closes after the last message. If the end was an error, the `readable` fails.
 *   Writes after the end reject with a `ConnectionClosedError`.
 */
export function toMessageStream<In = Message>(channel: Channel): MessageStream<In, Message> {
  checkChannel("toMessageStream", channel);
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
        // `error()` would drop messages that are not read yet.
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
      // The channel may have closed while this write waited, or because of this message.
      if (over !== undefined) throw notSent(over);
    },
    close,
    abort: close,
  });
  return { readable, writable };
}

const notSent = (reason: CloseReason) => new ConnectionClosedError("The message was not sent", reason);
