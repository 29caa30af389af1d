import { Buffer } from "node:buffer";
import { StringDecoder } from "node:string_decoder";
import { ByteRing } from "@turnkit/transport/node";

/** Where one stream of a command writes. */
export type TextStream = { write(chunk: Buffer): void; end(): void };

/**
 * What a command wrote, as text: the newest bytes of it, of several streams as they came. A character that is cut by the
 * end of a chunk waits for its rest; bytes that are no UTF-8 are replaced. What it hands out is whole characters.
 */
export class TerminalText {
  readonly #ring: ByteRing;
  readonly #listeners = new Set<(bytes: Uint8Array) => void>();
  #isClosed = false;

  /** @param limit the most that is kept, in bytes */
  constructor(limit: number) {
    this.#ring = new ByteRing(limit);
  }

  get text(): string {
    return this.#ring.text();
  }

  /** Whether anything was dropped for want of room. */
  get truncated(): boolean {
    return this.#ring.truncated;
  }

  /** One decoder for each stream: a character that is cut in one must not swallow bytes of the other. */
  open(): TextStream {
    const decoder = new StringDecoder("utf8");
    return {
      write: (chunk) => this.#take(decoder.write(chunk)),
      end: () => this.#take(decoder.end()),
    };
  }

  /** Bytes of whole characters as they come. Returns the unsubscribe function. */
  onData(listener: (bytes: Uint8Array) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Forgets everything and takes nothing any more. */
  close(): void {
    this.#isClosed = true;
    this.#listeners.clear();
    this.#ring.clear();
  }

  #take(text: string): void {
    if (text === "" || this.#isClosed) return;
    const bytes = Buffer.from(text, "utf8");
    this.#ring.append(bytes);
    for (const listener of this.#listeners) tell(listener, bytes);
  }
}

/** A listener that throws is its owner's trouble: output has to be drained whatever happens. */
function tell(listener: (bytes: Uint8Array) => void, bytes: Uint8Array): void {
  try {
    listener(bytes);
  } catch (error) {
    queueMicrotask(() => {
      throw error;
    });
  }
}
