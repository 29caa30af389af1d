import type { Receiver } from "../channel.js";
import { FrameError } from "../errors.js";
import type { Arrivals } from "./delivery.js";
import { LineParser } from "./line-parser.js";

/** Decodes the bytes from `start` to `end` as UTF-8. */
export type Decode = (bytes: Uint8Array, start: number, end: number) => string;

const newline = 0x0a;
const carriageReturn = 0x0d;
const empty = new Uint8Array(0);

/** Size of a block of an unfinished line, in bytes (1 MiB). */
const blockSize = 1024 * 1024;

const decoder = new TextDecoder();

/** Decodes UTF-8 in any runtime. */
export const decodeUtf8: Decode = (bytes, start, end) => decoder.decode(bytes.subarray(start, end));

/**
 * Reader of newline-delimited JSON that arrives in chunks of bytes. It splits chunks at LF, one line at a time. The
 * work for each byte has a bound that does not depend on the sizes of the chunks. Only an unfinished line, of at most
 * `limit` bytes, is copied. A character may be split between two chunks.
 */
export class LineReader implements Arrivals<Uint8Array> {
  /** Size in bytes of the line that `next` returned last. */
  bytes = 0;
  readonly #limit: number;
  readonly #decode: Decode;
  readonly #parser = new LineParser();
  /** Chunks that come after the current chunk. */
  readonly #queue: Uint8Array[] = [];
  #chunk: Uint8Array = empty;
  #at = 0;
  /** Complete lines of the current chunk as one string. */
  #text = "";
  #textAt = 0;
  /** Start of the next line in the chunk. The value is -1 if every character takes one byte. */
  #lineAt = -1;
  /**
   * Last bytes of the unfinished line. The array doubles its size when it is full, so that small chunks are not copied
   * often.
   */
  #partial: Uint8Array = empty;
  #partialLength = 0;
  /** Earlier bytes of the unfinished line, in full blocks. These blocks are not copied when the line grows. */
  #blocks: Uint8Array[] = [];
  #blocksLength = 0;
  #ended = false;

  constructor(limit: number, decode: Decode = decodeUtf8) {
    this.#limit = limit;
    this.#decode = decode;
  }

  push(chunk: Uint8Array): void {
    this.#queue.push(chunk);
  }

  /** Marks the end of the stream. The last line then counts even without a line end. */
  end(): void {
    this.#ended = true;
  }

  /**
   * Delivers the next line. Returns `false` until a complete line has arrived.
   *
   * @throws FrameError if a line is longer than the limit
   */
  deliverNext(receiver: Receiver): boolean {
    const line = this.next();
    if (line === undefined) return false;
    this.#parser.deliver(line, this.bytes, receiver);
    return true;
  }

  /**
   * Returns the next line without its LF, or `undefined` until more bytes arrive.
   *
   * @throws FrameError if a line is longer than the limit. The reader cannot be used after that.
   */
  next(): string | undefined {
    for (;;) {
      if (this.#textAt < this.#text.length) return this.#nextOfText();
      if (this.#at >= this.#chunk.length) {
        const chunk = this.#queue.shift();
        if (chunk === undefined) return this.#ended ? this.#last() : undefined;
        this.#chunk = chunk;
        this.#at = 0;
        if (this.#partialLength === 0) this.#decodeWholeLines();
        continue;
      }
      const end = this.#chunk.indexOf(newline, this.#at);
      if (end < 0) {
        this.#keep(this.#chunk.length);
        continue;
      }
      return this.#nextOfChunk(end);
    }
  }

  /** Decodes all complete lines of the chunk together. For small messages this is several times faster. */
  #decodeWholeLines(): void {
    const end = this.#chunk.lastIndexOf(newline) + 1;
    if (end === 0 || end > this.#limit) return;
    this.#text = this.#decode(this.#chunk, 0, end);
    this.#textAt = 0;
    // A UTF-8 sequence never decodes to more characters than it has bytes. Equal lengths therefore mean one byte per
    // character.
    this.#lineAt = this.#text.length === end ? -1 : 0;
    this.#at = end;
  }

  #nextOfText(): string {
    const end = this.#text.indexOf("\n", this.#textAt);
    const line = this.#text.slice(this.#textAt, end);
    this.bytes = this.#lineAt < 0 ? line.length : this.#bytesOfLine();
    this.#textAt = end + 1;
    if (this.#textAt >= this.#text.length) this.#text = "";
    return line;
  }

  /**
   * Returns the size of the next line in bytes. The text has the same line ends as the bytes, even for invalid UTF-8.
   */
  #bytesOfLine(): number {
    const start = this.#lineAt;
    const end = this.#chunk.indexOf(newline, start);
    this.#lineAt = end + 1;
    return end - start;
  }

  #nextOfChunk(end: number): string {
    if (this.#partialLength > 0) {
      this.#keep(end);
      this.#at = end + 1;
      const line = this.#takePartial();
      // The rest of this chunk begins with a new line.
      this.#chunk = this.#chunk.subarray(this.#at);
      this.#at = 0;
      this.#decodeWholeLines();
      return line;
    }
    this.bytes = end - this.#at;
    this.#check(this.bytes, this.#chunk[end - 1]);
    const line = this.#decode(this.#chunk, this.#at, end);
    this.#at = end + 1;
    return line;
  }

  #last(): string | undefined {
    return this.#partialLength > 0 ? this.#takePartial() : undefined;
  }

  #keep(end: number): void {
    const newest = end > this.#at ? this.#chunk[end - 1] : this.#partial[this.#partialLength - 1];
    const length = this.#partialLength + end - this.#at;
    this.#check(this.#blocksLength + length, newest);
    if (length > this.#partial.length && this.#partialLength >= blockSize) {
      this.#blocks.push(this.#partial.subarray(0, this.#partialLength));
      this.#blocksLength += this.#partialLength;
      this.#partial = new Uint8Array(blockSize);
      this.#partialLength = 0;
      return this.#keep(end);
    }
    if (length > this.#partial.length) {
      const grown = new Uint8Array(Math.max(length, Math.min(this.#partial.length * 2, this.#limit), 1024));
      grown.set(this.#partial.subarray(0, this.#partialLength));
      this.#partial = grown;
    }
    this.#partial.set(this.#chunk.subarray(this.#at, end), this.#partialLength);
    this.#partialLength = length;
    this.#at = end;
  }

  #takePartial(): string {
    const whole = this.#blocks.length === 0 ? this.#partial : this.#joined();
    this.bytes = this.#blocksLength + this.#partialLength;
    const line = this.#decode(whole, 0, this.bytes);
    this.#partialLength = 0;
    if (this.#partial.length > blockSize) this.#partial = empty;
    this.#blocks = [];
    this.#blocksLength = 0;
    return line;
  }

  #joined(): Uint8Array {
    const whole = new Uint8Array(this.#blocksLength + this.#partialLength);
    let at = 0;
    for (const block of this.#blocks) {
      whole.set(block, at);
      at += block.length;
    }
    whole.set(this.#partial.subarray(0, this.#partialLength), at);
    return whole;
  }

  /**
   * Checks the length of a line without a CR at its end.
   *
   * @throws FrameError if the line is longer than the limit
   */
  #check(length: number, last: number | undefined): void {
    if (length > this.#limit + (last === carriageReturn ? 1 : 0)) {
      throw new FrameError(
        `A line of more than ${this.#limit} bytes arrived; raise the frame limit if the other side needs longer lines.`,
      );
    }
  }
}
