import { encodeLogMessage, type LogMessageHead } from "./log-message.js";

/** Largest number of events in one message. */
const MESSAGE_EVENTS = 256;

/** Largest size of the events in one message, in bytes. */
const MESSAGE_BYTES = 512 * 1024;

/** Room for the first line of a message and its headers, in bytes. */
const AROUND_BYTES = 1024;

/** Message that is ready to be written. */
export type ReadyMessage = { readonly head: LogMessageHead; readonly data: Uint8Array; readonly bytes: number };

/** Events that wait to be written, in their order. */
// NATS-03
export class EventQueue {
  readonly #most: number;
  readonly #events: Uint8Array[] = [];
  #first = 0;
  /** Number of bytes that earlier messages contain, of the first event. */
  #cut = 0;
  /** Number of messages with a part of the first event. */
  #part = 0;
  #bytes = 0;

  /** @param maxBytes largest message, in bytes */
  constructor(maxBytes: number) {
    this.#most = Math.max(1, Math.min(MESSAGE_BYTES, maxBytes - AROUND_BYTES));
  }

  /** Number of waiting bytes. */
  get bytes(): number {
    return this.#bytes;
  }

  get isEmpty(): boolean {
    return this.#first === this.#events.length;
  }

  add(event: Uint8Array): void {
    this.#events.push(event);
    this.#bytes += event.length;
  }

  clear(): void {
    this.#events.length = 0;
    this.#first = 0;
    this.#bytes = 0;
  }

  /** Takes the next message. There must be an event. */
  take({ epoch, index }: Pick<LogMessageHead, "epoch" | "index">): ReadyMessage {
    const first = this.#events[this.#first] as Uint8Array;
    if (first.length > this.#most) return this.#takePart(first, epoch, index);
    const lines: Uint8Array[] = [];
    let bytes = 0;
    for (let next: Uint8Array | undefined = first; next !== undefined; next = this.#events[this.#first]) {
      if (lines.length === MESSAGE_EVENTS || bytes + next.length + lines.length > this.#most) break;
      lines.push(next);
      bytes += next.length;
      this.#dropFirst();
    }
    this.#bytes -= bytes;
    const head = { epoch, index, count: lines.length };
    return { head, data: encodeLogMessage(head, lines), bytes };
  }

  #takePart(event: Uint8Array, epoch: number, index: number): ReadyMessage {
    const piece = event.subarray(this.#cut, this.#cut + this.#most);
    const isLast = this.#cut + piece.length === event.length;
    const head = { epoch, index, count: isLast ? 1 : 0, part: this.#part };
    this.#cut = isLast ? 0 : this.#cut + piece.length;
    this.#part = isLast ? 0 : this.#part + 1;
    if (isLast) this.#dropFirst();
    this.#bytes -= piece.length;
    return { head, data: encodeLogMessage(head, [piece]), bytes: piece.length };
  }

  #dropFirst(): void {
    this.#first += 1;
    if (this.#first < MESSAGE_EVENTS || this.#first * 2 < this.#events.length) return;
    this.#events.splice(0, this.#first);
    this.#first = 0;
  }
}
