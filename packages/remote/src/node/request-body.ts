import { Buffer } from "node:buffer";
import type { Readable } from "node:stream";

/** Receiver of events of a body before the server reads it. */
export type BodyListener = {
  /** More bytes have arrived. */
  arrived(bytes: number): void;
  /** The server asks for the body, for the first time. */
  asked(): void;
};

const nothing = Buffer.alloc(0);

/**
 * Number of pieces, and average size in bytes. From this number of smaller pieces on, the rest of a refused body is not
 * read.
 */
const crumbs = { pieces: 1_000, bytes: 64 };

/**
 * Body of a request. It reads from the network only on demand. Bytes that arrive before, or in one read, are stored as
 * one block. In Node's own buffer, a piece of one byte takes a kilobyte, or keeps the whole network chunk in memory.
 */
export class RequestBody {
  /** Fails if the client aborts the request, and at {@link drop}. */
  readonly stream: ReadableStream<Uint8Array>;
  /** These are absent after the client has aborted the request, because they refer to all requests of its connection. */
  #source: Readable | undefined;
  #push: Readable["push"] | undefined;
  #listener: BodyListener | undefined;
  #controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  #block = nothing;
  #length = 0;
  /** `true` after the first demand. */
  #isAsked = false;
  /** `true` while the server waits for bytes. */
  #isAwaited = false;
  /** `true` if no more bytes arrive. */
  #isEnded = false;
  #isOver = false;
  readonly #arrived = { pieces: 0, bytes: 0 };

  constructor(source: Readable, listener: BodyListener) {
    this.#source = source;
    this.#push = source.push.bind(source);
    this.#listener = listener;
    const broken = () => this.#break();
    source.once("error", broken);
    source.once("close", broken);
    source.once("end", () => this.#end());
    // Pieces that arrived with the headers are already in the source. If there are none, the source must not be read,
    // because Node would then treat the body as read.
    if (source.readableLength > 0) this.#store(source.read() as Buffer);
    source.push = (piece: Buffer | null) => (piece === null ? this.#last() : this.#take(piece));
    this.stream = new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          this.#controller = controller;
        },
        pull: () => this.#ask(),
        cancel: () => this.drop(),
      },
      { highWaterMark: 0 },
    );
  }

  /** `true` if the body comes in many pieces of a few bytes. If such a body is refused, its rest is not read. */
  get isCrumbled(): boolean {
    const { pieces, bytes } = this.#arrived;
    return pieces >= crumbs.pieces && bytes < pieces * crumbs.bytes;
  }

  /** Drops the unread bytes, and all later ones. */
  drop(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#block = nothing;
    this.#length = 0;
    if (!this.isCrumbled) this.#continue();
    this.#controller?.error(new Error("The body was dropped."));
  }

  /** Stores a piece instead of the source. `false` stops the source until {@link #continue}. */
  #take(piece: Buffer): boolean {
    this.#arrived.pieces += 1;
    this.#arrived.bytes += piece.length;
    if (this.#isOver) return !this.isCrumbled;
    this.#store(piece);
    // The rest of this read is delivered first.
    if (this.#isAwaited) setImmediate(() => this.#handOver());
    return false;
  }

  #last(): boolean {
    this.#isEnded = true;
    const result = this.#push?.(null) === true;
    this.#continue();
    return result;
  }

  #store(piece: Buffer): void {
    const length = this.#length + piece.length;
    if (length > this.#block.length) {
      const grown = Buffer.allocUnsafeSlow(Math.max(length, this.#block.length * 2));
      grown.set(this.#block.subarray(0, this.#length));
      this.#block = grown;
    }
    this.#block.set(piece, this.#length);
    this.#length = length;
    this.#listener?.arrived(piece.length);
  }

  #ask(): void {
    if (!this.#isAsked) this.#listener?.asked();
    this.#isAsked = true;
    this.#isAwaited = true;
    if (this.#length > 0 || this.#isEnded) this.#handOver();
    else this.#continue();
  }

  #handOver(): void {
    if (this.#isOver || !this.#isAwaited) return;
    if (this.#length > 0) {
      this.#isAwaited = false;
      this.#controller?.enqueue(this.#block.subarray(0, this.#length));
      this.#block = nothing;
      this.#length = 0;
    }
    if (this.#isEnded) this.#end();
  }

  /** Lets the source continue reading, or emit its end. */
  #continue(): void {
    // An empty piece ends a read of the source whose pieces were stored here. Only after it, the source begins another
    // read.
    if (!this.#isEnded) this.#push?.(nothing);
    if (this.#isAsked || this.#isOver) this.#source?.resume();
  }

  #end(): void {
    this.#isEnded = true;
    if (this.#isOver || !this.#isAsked || this.#length > 0) return;
    this.#isOver = true;
    this.#controller?.close();
  }

  #break(): void {
    this.#source = undefined;
    this.#push = undefined;
    this.#listener = undefined;
    if (this.#isOver || this.#isEnded) return;
    this.#isOver = true;
    // References to the request do not keep its bytes in memory.
    this.#block = nothing;
    this.#length = 0;
    this.#controller?.error(new Error("The client broke off before the end of the body."));
  }
}
