import type { Channel, CloseReason, Message, Receiver, Room } from "../channel.js";
import { Fifo, PendingRoom } from "../waiting.js";
import { Closing } from "./closing.js";
import { type Arrivals, Delivery } from "./delivery.js";
import { checkedEstimate, unsentLimit } from "./message-size.js";

const highWaterMessages = 64;
const highWaterBytes = 64 * 1024;

/**
 * Creates two channels that are connected in memory. A message that is sent on one side arrives on the other side as
 * the same object, in order, in a later microtask. Neither side may change an object that it has sent or received.
 *
 * - `send` throws `too_large` for a message of more than 32 MiB as JSON, in the same way as channels of bytes.
 * - From 64 waiting messages or about 64 KiB on, `send` returns a promise of room. Above about 64 MiB of waiting
 *   messages, the sender's channel closes as `overflow`.
 * - Messages that were sent before a close still arrive. The other side then closes as `remote`.
 */
export function createMemoryPair(): [Channel, Channel] {
  const one = new MemoryChannel();
  const two = new MemoryChannel();
  one.join(two);
  two.join(one);
  return [one, two];
}

type Entry = { readonly message: Message; readonly bytes: number };

class MemoryChannel implements Channel, Arrivals<Entry> {
  readonly closed: Promise<CloseReason>;
  #peer!: MemoryChannel;
  /** Messages on their way to this side. */
  readonly #queue = new Fifo<Entry>();
  #bytes = 0;
  /** Promise of room for the messages of the peer. */
  readonly #room = new PendingRoom();
  readonly #delivery: Delivery<Entry>;
  readonly #closing = new Closing(() => this.#shutDown());

  constructor() {
    this.closed = this.#closing.closed;
    this.#delivery = new Delivery(this, (reason) => this.#finish(reason), { defer: true });
  }

  join(peer: MemoryChannel): void {
    this.#peer = peer;
  }

  start(receiver: Receiver): void {
    this.#delivery.start(receiver);
  }

  send(message: Message): Room {
    if (this.#closing.hasBegun || this.#peer.#closing.hasBegun) return undefined;
    const bytes = checkedEstimate(message);
    if (this.#peer.#accept(message, bytes)) return this.#peer.#roomLeft();
    this.#finish({ kind: "overflow", message: "More than 64 MiB waited for the other side of the memory channel." });
    return undefined;
  }

  pause(): void {
    this.#delivery.pause();
  }

  resume(): void {
    this.#delivery.resume();
  }

  async close(reason: CloseReason = { kind: "local", message: "This side closed the memory channel." }): Promise<void> {
    this.#finish(reason);
  }

  push(entry: Entry): void {
    this.#queue.push(entry);
  }

  deliverNext(receiver: Receiver): boolean {
    const entry = this.#queue.shift();
    if (entry === undefined) return false;
    this.#bytes -= entry.bytes;
    if (!this.#isFull) this.#room.open();
    receiver.message(entry.message, entry.bytes);
    return true;
  }

  /**
   * Puts a message into the queue for this side's receiver. Returns `false` if the waiting messages are larger than the
   * limit.
   */
  #accept(message: Message, bytes: number): boolean {
    if (this.#queue.length > 0 && this.#bytes + bytes > unsentLimit) return false;
    this.#bytes += bytes;
    this.#delivery.push({ message, bytes });
    return true;
  }

  #roomLeft(): Room {
    return this.#isFull ? this.#room.wait() : undefined;
  }

  get #isFull(): boolean {
    return this.#queue.length >= highWaterMessages || this.#bytes >= highWaterBytes;
  }

  #finish(reason: CloseReason): void {
    if (this.#closing.hasBegun) return;
    void this.#closing.begin(reason);
    // The peer's channel ends after the messages that this side has sent. If the peer's channel was never started, it
    // does not end.
    this.#peer.#delivery.end({ kind: "remote", message: "The other side closed the memory channel." });
  }

  #shutDown(): void {
    this.#delivery.stop();
    this.#queue.clear();
    this.#bytes = 0;
    this.#room.open();
    this.#peer.#room.open();
  }
}
