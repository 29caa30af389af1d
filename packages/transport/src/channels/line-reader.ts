import { FrameError } from "../errors.js";

/** Turns bytes `start` to `end` into text; whoever knows a faster way than `TextDecoder` brings it along. */
export type Decode = (bytes: Uint8Array, start: number, end: number) => string;

const newline = 0x0a;
const carriageReturn = 0x0d;
const empty = new Uint8Array(0);

/** Size from which the bytes of an unfinished line are a block: 1 MiB. */
const blockSize = 1024 * 1024;

const decoder = new TextDecoder();

/** Decodes UTF-8 anywhere. */
export const decodeUtf8: Decode = (bytes, start, end) => decoder.decode(bytes.subarray(start, end));

/**
 * Cuts chunks of bytes into lines at LF and hands them out one at a time, so that a reader can stop between any two.
 * Each byte is looked at a bounded number of times, however the stream is cut into chunks, and at most one unfinished
 * line (up to `limit` bytes) is copied. A multi-byte character may lie across chunks.
 */
export class LineReader {
  /** The size in bytes of the line that `next` returned last. */
  bytes = 0;
  readonly #limit: number;
  readonly #decode: Decode;
  /** Chunks that nobody has looked at. */
  readonly #queue: Uint8Array[] = [];
  #chunk: Uint8Array = empty;
  #at = 0;
  /** The whole lines of the current chunk as one string. */
  #text = "";
  #textAt = 0;
  /** Where the next of them begins in the chunk; -1 while the string has one unit for every byte. */
  #lineAt = -1;
  /** The last bytes of a line whose end has not come; grown by doubling, so tiny chunks cost neither time nor memory. */
  #partial: Uint8Array = empty;
  #partialLength = 0;
  /** What the line has before them: full blocks, which a doubling would copy and fill with zeros again and again. */
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

  /** No more chunks will come: the last line counts even without its line end. */
  end(): void {
    this.#ended = true;
  }

  /**
   * The next line without its LF, or nothing until more bytes come.
   *
   * @throws FrameError if a line is longer than the limit; the reader is of no use after that.
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

  /** One decoding per chunk instead of one per line: several times faster where messages are small. */
  #decodeWholeLines(): void {
    const end = this.#chunk.lastIndexOf(newline) + 1;
    if (end === 0 || end > this.#limit) return;
    this.#text = this.#decode(this.#chunk, 0, end);
    this.#textAt = 0;
    // No UTF-8 sequence decodes to more units than it has bytes, so equal lengths mean one unit per byte.
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

  /** A line end is one in bytes and in text, also behind a sequence that it cuts off. */
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
      // The line that lay across two chunks is done; what is left of this chunk is as good as a fresh one.
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

  /** A CR before the LF belongs to the line's end, which does not count. */
  #check(length: number, last: number | undefined): void {
    if (length > this.#limit + (last === carriageReturn ? 1 : 0)) {
      throw new FrameError(`A line of more than ${this.#limit} bytes arrived; raise the frame limit if it was meant.`);
    }
  }
}
