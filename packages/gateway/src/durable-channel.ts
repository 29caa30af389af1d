import type { Channel, CloseReason, Diagnostic, Message, Receiver, Room } from "@turnkit/transport";

/** Number of waiting messages at which a sender should wait. */
const HIGH_WATER = 64;

/** Parts of a durable channel. */
export type DurableChannelParts = {
  /** Settles when all events that were recorded before are stored. Resolves to false if they could not be stored. */
  readonly commit: () => Promise<boolean>;
  readonly report: (diagnostic: Diagnostic) => void;
};

/**
 * Channel of an owner to another gateway. Each message waits until all events that were recorded before it are stored.
 * The other gateway therefore never shows an event that is lost at the death of the owner. If the storage fails, the
 * channel closes.
 */
// NATS-08
export class DurableChannel implements Channel {
  readonly closed: Promise<CloseReason>;
  readonly #channel: Channel;
  readonly #parts: DurableChannelParts;
  #waiting: Message[] = [];
  #sending: Promise<void> | undefined;

  constructor(channel: Channel, parts: DurableChannelParts) {
    this.#channel = channel;
    this.#parts = parts;
    this.closed = channel.closed;
  }

  start(receiver: Receiver): void {
    this.#channel.start(receiver);
  }

  send(message: Message): Room {
    this.#waiting.push(message);
    this.#sending ??= this.#sendAll().finally(() => {
      this.#sending = undefined;
    });
    return this.#waiting.length < HIGH_WATER ? undefined : this.#sending;
  }

  pause(): void {
    this.#channel.pause();
  }

  resume(): void {
    this.#channel.resume();
  }

  /** Settles when all messages are sent, or the channel is closed. */
  async settled(): Promise<void> {
    await Promise.race([this.#sending, this.closed]);
  }

  async close(reason?: CloseReason): Promise<void> {
    await this.settled();
    await this.#channel.close(reason);
  }

  async #sendAll(): Promise<void> {
    while (this.#waiting.length > 0) {
      const messages = this.#waiting;
      this.#waiting = [];
      if (!(await this.#parts.commit())) {
        await this.#channel.close();
        return;
      }
      let room: Room;
      for (const message of messages) room = this.#send(message) ?? room;
      if (room !== undefined) await Promise.race([room, this.closed]);
    }
  }

  #send(message: Message): Room {
    try {
      return this.#channel.send(message);
    } catch (error) {
      const text = "A message could not be sent to another gateway, and was left out.";
      this.#parts.report({ code: "dropped", message: text, error });
      return undefined;
    }
  }
}
