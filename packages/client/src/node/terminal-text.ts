import { Buffer } from "node:buffer";
import { StringDecoder } from "node:string_decoder";
import { ByteRing } from "@turnkit/transport/node";

/** Writer of one stream of a command. */
export type TextStream = { write(chunk: Buffer): void; end(): void };

/**
 * Output of a command as text. It holds the newest bytes of several streams in the order of arrival.
 *
 * - A character that is cut at the end of a chunk waits for its other bytes.
 * - Bytes that are not UTF-8 are replaced.
 * - Listeners get complete characters.
 */
export class TerminalText {
  readonly #ring: ByteRing;
  readonly #listeners = new Set<(bytes: Uint8Array) => void>();
  #isClosed = false;

  /** @param limit maximum size of the held output, in bytes */
  constructor(limit: number) {
    this.#ring = new ByteRing(limit);
  }

  get text(): string {
    return this.#ring.text();
  }

  /** True if output was dropped because of the limit. */
  get truncated(): boolean {
    return this.#ring.truncated;
  }

  /**
   * Opens a stream with its own decoder. With a common decoder, a cut character of one stream would absorb bytes of another
   * stream.
   */
  open(): TextStream {
    const decoder = new StringDecoder("utf8");
    return {
      write: (chunk) => this.#take(decoder.write(chunk)),
      end: () => this.#take(decoder.end()),
    };
  }

  /** Adds a listener for the bytes of complete characters. Returns a function that removes the listener. */
  onData(listener: (bytes: Uint8Array) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Drops all output and ignores later writes. */
  close(): void {
    this.#isClosed = true;
    this.#listeners.clear();
    this.#ring.clear();
  }

  #take(text: string): void {
    if (text === "" || this.#isClosed) return;
    const bytes = Buffer.from(text, "utf8");
    this.#ring.append(bytes);
    for (const listener of this.#listeners) notify(listener, bytes);
  }
}

/** Calls a listener and ignores its exceptions, because the output has to be read in any case. */
function notify(listener: (bytes: Uint8Array) => void, bytes: Uint8Array): void {
  try {
    listener(bytes);
  } catch (error) {
    queueMicrotask(() => {
      throw error;
    });
  }
}
