import type { Receiver } from "../channel.js";
import { Fifo } from "../waiting.js";
import type { Arrivals } from "./delivery.js";
import { LineParser } from "./line-parser.js";

/** Returns the messages of a text frame, as texts. Throws a `FrameError` to close the channel as `frame`. */
export type Split = (frame: string) => readonly string[];

/**
 * Size that is added to the length of each waiting text, in characters. Without this addition, the number of empty
 * texts would have no bound.
 */
const OVERHEAD = 1024;

const BINARY = "binary frames are ignored, so the other side must send each message as a text, not as bytes";

/** Received texts that wait for delivery. */
export class TextQueue implements Arrivals<string | null> {
  readonly #texts = new Fifo<string | null>();
  readonly #parser = new LineParser();
  readonly #split: Split | undefined;
  #size = 0;

  constructor(split: Split | undefined) {
    this.#split = split;
  }

  /** Adds a text, or `null` in place of a binary frame. */
  push(text: string | null): void {
    this.#texts.push(text);
    this.#size += (text?.length ?? 0) + OVERHEAD;
  }

  deliverNext(receiver: Receiver): boolean {
    const text = this.#texts.shift();
    if (text === undefined) return false;
    this.#size -= (text?.length ?? 0) + OVERHEAD;
    if (text === null) receiver.invalidLine("a binary frame", BINARY);
    else if (this.#split === undefined) this.#parser.deliver(text, text.length, receiver);
    else for (const line of this.#split(text)) this.#parser.deliver(line, line.length, receiver);
    return true;
  }

  /** Returns `true` if at least two texts wait whose total size is above `limit`. */
  exceed(limit: number): boolean {
    return this.#texts.length > 1 && this.#size > limit;
  }

  clear(): void {
    this.#texts.clear();
    this.#size = 0;
  }
}
