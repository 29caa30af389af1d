import type { Channel, CloseReason, Message, Receiver, Room } from "@turnkit/transport";
import { createMemoryPair } from "@turnkit/transport/channels";

/** The network side of a channel: one of the two profiles. */
export interface Link {
  /** Sends a message, or keeps it until it can be sent. */
  send(message: Message): Room;
  /** Ends the connection. With `hasTime`, waiting messages are sent first, within a limited time. Never rejects. */
  close(hasTime: boolean): Promise<void>;
}

/** Receiver of the messages and the end of a link. */
export interface Inbox {
  /** Delivers a message. Returns a promise of room if the receiver does not keep up. */
  deliver(message: unknown, bytes: number): Room;
  /** Delivers a text that cannot be parsed. `excess` is the bound that it exceeds. */
  invalid(text: string, excess?: string): void;
  /** Ends the channel after the delivered messages. The first reason counts. */
  end(reason: CloseReason): void;
}

/** A message on its way to the receiver, or a text that cannot be parsed. */
type Arrival =
  | { readonly message: unknown; readonly bytes: number }
  | { readonly sample: string; readonly excess: string | undefined };

/**
 * Channel over a link. A memory channel between both gives order, pauses, backpressure and the end after the last
 * delivery.
 */
export class RemoteChannel implements Channel, Inbox {
  readonly closed: Promise<CloseReason>;
  readonly #near: Channel;
  readonly #far: Channel;
  readonly #link: Link;
  #reason: CloseReason | undefined;
  #isOver = false;

  /** Creates a channel. `lost` is called once, if the connection ends for another reason than a close of this side. */
  constructor(createLink: (inbox: Inbox) => Link, lost: (reason: CloseReason) => void) {
    [this.#near, this.#far] = createMemoryPair();
    this.#link = createLink(this);
    void this.#far.closed.then((reason) => {
      this.#reason ??= reason;
    });
    this.closed = this.#near.closed.then(async (near) => {
      this.#isOver = true;
      const reason = near.kind === "remote" && this.#reason !== undefined ? this.#reason : near;
      const ended = this.#link.close(reason.kind === "local" && reason.cause === undefined);
      if (reason.kind === "local") await ended;
      else lost(reason);
      return reason;
    });
  }

  start(receiver: Receiver): void {
    this.#near.start({
      message(arrived) {
        const arrival = arrived as Arrival;
        if ("sample" in arrival) receiver.invalidLine(arrival.sample, arrival.excess);
        else receiver.message(arrival.message, arrival.bytes);
      },
      invalidLine() {},
    });
  }

  send(message: Message): Room {
    return this.#isOver ? undefined : this.#link.send(message);
  }

  pause(): void {
    this.#near.pause();
  }

  resume(): void {
    this.#near.resume();
  }

  async close(reason: CloseReason = { kind: "local", message: "This side closed the connection." }): Promise<void> {
    this.#isOver = true;
    void this.#near.close(reason);
    await this.closed;
  }

  deliver(message: unknown, bytes: number): Room {
    return this.#push({ message, bytes });
  }

  invalid(text: string, excess?: string): void {
    if (text.trim() !== "") this.#push({ sample: text.slice(0, 200).trimEnd(), excess });
  }

  end(reason: CloseReason): void {
    this.#reason ??= reason;
    void this.#far.close();
  }

  #push(arrival: Arrival): Room {
    return this.#far.send(arrival as unknown as Message);
  }
}
