import { type Channel, type CloseReason, type Receiver, type Room, startedTwice } from "./channel.js";
import type { Message } from "./message.js";

const highWaterMessages = 64;
const highWaterBytes = 64 * 1024;
const unsentLimit = 64 * 1024 * 1024;
/** After so many messages without a pause the event loop gets its turn, so that timers and input are not starved. */
const burst = 4096;
// Taken here and not at the call, so that a test's fake clock cannot stop the traffic.
const later = globalThis.setTimeout;
/** `queueMicrotask` of Node costs a third of what a whole small message does. */
const settled = /* @__PURE__ */ Promise.resolve();

/**
 * Two channels joined in memory: what one sends, the other receives as the same object, in order, in a later microtask.
 * Neither side may change a message after sending or on receiving it. From 64 messages or about 64 KiB on `send`
 * answers with a promise of room; above about 64 MiB the sender closes as `overflow`. What was sent before a close
 * still arrives; then the other side closes as `remote`.
 */
export function createMemoryPair(): [Channel, Channel] {
  const one = new MemoryChannel();
  const two = new MemoryChannel();
  one.join(two);
  two.join(one);
  return [one, two];
}

type Entry = { readonly message: Message; readonly bytes: number };

class MemoryChannel implements Channel {
  readonly closed: Promise<CloseReason>;
  #settle!: (reason: CloseReason) => void;
  #peer!: MemoryChannel;
  #receiver: Receiver | undefined;
  #done = false;
  #paused = false;
  #scheduled = false;
  #delivering = false;
  /** What is on its way to this side; entries before `#head` are delivered. */
  #queue: Entry[] = [];
  #head = 0;
  #bytes = 0;
  #inBurst = 0;
  /** Set when the peer has closed: this side closes once its queue is empty. */
  #end: CloseReason | undefined;
  #room: Promise<void> | undefined;
  #makeRoom: (() => void) | undefined;
  readonly #deliverSoon = (): void => this.#deliver();

  constructor() {
    this.closed = new Promise((resolve) => {
      this.#settle = resolve;
    });
  }

  join(peer: MemoryChannel): void {
    this.#peer = peer;
  }

  start(receiver: Receiver): void {
    if (this.#receiver !== undefined) throw startedTwice();
    this.#receiver = receiver;
    this.#schedule();
  }

  send(message: Message): Room {
    if (this.#done) return undefined;
    const room = this.#peer.#take(message);
    if (room !== "overflow") return room;
    this.#finish({ kind: "overflow", message: "More than 64 MiB waited for the other side of the memory channel." });
    return undefined;
  }

  pause(): void {
    this.#paused = true;
  }

  resume(): void {
    this.#paused = false;
    this.#schedule();
  }

  async close(reason: CloseReason = { kind: "local", message: "This side closed the memory channel." }): Promise<void> {
    this.#finish(reason);
  }

  /** Stores a message for this side's receiver; the answer is the other side's room. */
  #take(message: Message): Room | "overflow" {
    if (this.#done) return undefined;
    const bytes = estimateBytes(message);
    const waiting = this.#queue.length - this.#head;
    if (waiting > 0 && this.#bytes + bytes > unsentLimit) return "overflow";
    this.#queue.push({ message, bytes });
    this.#bytes += bytes;
    this.#schedule();
    if (!this.#isFull()) return undefined;
    this.#room ??= new Promise((resolve) => {
      this.#makeRoom = resolve;
    });
    return this.#room;
  }

  #isFull(): boolean {
    return this.#queue.length - this.#head >= highWaterMessages || this.#bytes >= highWaterBytes;
  }

  #schedule(): void {
    if (this.#scheduled || this.#paused || this.#done || this.#receiver === undefined) return;
    this.#scheduled = true;
    if (this.#inBurst === 0) later(() => this.#breathe(), 0);
    if (this.#inBurst < burst) void settled.then(this.#deliverSoon);
  }

  #breathe(): void {
    const waiting = this.#inBurst >= burst;
    this.#inBurst = 0;
    if (!waiting || !this.#scheduled) return;
    this.#scheduled = false;
    this.#schedule();
  }

  #deliver(): void {
    this.#scheduled = false;
    if (this.#delivering) return;
    this.#delivering = true;
    try {
      while (!this.#paused && !this.#done && this.#head < this.#queue.length && this.#inBurst < burst)
        this.#deliverOne();
    } catch (cause) {
      this.#finish({ kind: "local", message: `The receiver of a message threw: ${String(cause)}.`, cause });
    } finally {
      this.#delivering = false;
    }
    if (this.#paused || this.#done) return;
    if (this.#head < this.#queue.length) this.#schedule();
    else if (this.#end) this.#finish(this.#end);
  }

  #deliverOne(): void {
    const entry = this.#queue[this.#head++] as Entry;
    this.#bytes -= entry.bytes;
    this.#inBurst++;
    if (this.#head === this.#queue.length) {
      this.#queue = [];
      this.#head = 0;
    } else if (this.#head > 1024 && this.#head * 2 > this.#queue.length) {
      this.#queue = this.#queue.slice(this.#head);
      this.#head = 0;
    }
    if (!this.#isFull()) this.#openRoom();
    this.#receiver?.message(entry.message, entry.bytes);
  }

  #openRoom(): void {
    this.#makeRoom?.();
    this.#room = undefined;
    this.#makeRoom = undefined;
  }

  #finish(reason: CloseReason): void {
    if (this.#done) return;
    this.#done = true;
    this.#queue = [];
    this.#head = 0;
    this.#bytes = 0;
    this.#openRoom();
    // What this side waits for is the peer's room.
    this.#peer.#openRoom();
    this.#settle(reason);
    this.#peer.#ended();
  }

  #ended(): void {
    this.#end = { kind: "remote", message: "The other side closed the memory channel." };
    // Through the queue, so that what was sent before still arrives; without a receiver nothing ever would.
    this.#schedule();
  }
}

/**
 * About how many bytes the value would take on a wire: exact for the strings of plain ASCII that make up most of a
 * message, and cheap. It looks at 10 000 values at most.
 */
export function estimateBytes(value: unknown): number {
  let bytes = 0;
  let budget = 10_000;
  const stack: unknown[] = [value];
  while (stack.length > 0 && budget-- > 0) {
    const item = stack.pop();
    if (typeof item === "string") bytes += item.length + 3;
    else if (typeof item !== "object" || item === null) bytes += 5;
    else if (Array.isArray(item)) {
      bytes += 2;
      for (let i = 0; i < item.length && i < budget; i++) stack.push(item[i]);
    } else {
      bytes += 2;
      for (const key in item) {
        const member = (item as Record<string, unknown>)[key];
        bytes += key.length + 4;
        if (typeof member === "string") bytes += member.length + 2;
        else stack.push(member);
      }
    }
  }
  return bytes;
}
