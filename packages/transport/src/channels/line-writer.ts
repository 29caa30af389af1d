import type { Room } from "../channel.js";
import type { Message } from "../message.js";
import { checkSize, isSurelyWithin } from "./message-size.js";
import { MessageWriter } from "./message-writer.js";
import { frameLimit } from "./ndjson.js";
import { PendingRoom } from "./pending-room.js";

/** The most bytes that are written at once, unless one message alone is larger: 64 Ki. */
const batchSize = 64 * 1024;

/**
 * Lines become bytes in pieces of about so many characters, each next to the one before: a whole batch as one string is
 * copied once more, in memory that no cache holds (11.7 µs instead of 9.5 µs for a line of 5 000 characters, some of
 * them beyond Latin-1; 0.28 µs instead of 0.21 µs for one of 200).
 */
const pieceSize = 4 * 1024;

/** No character takes more bytes in UTF-8. */
const bytesPerCharacter = 3;

/** What may wait to be written, in bytes. */
export type WriteLimits = {
  /** From here on `send` answers with a promise of room. 256 KiB unless said otherwise. */
  readonly highWater: number;
  /** Above this the channel closes as `overflow`. 64 MiB unless said otherwise. */
  readonly unsent: number;
  /**
   * The longest message, in bytes of UTF-8: `send` throws for a longer one. 32 MiB unless said otherwise, or the longest
   * that this side reads, where that is more.
   */
  readonly message: number;
};

/** The limits of a channel that were not given another value. */
export const writeLimits: WriteLimits = { highWater: 256 * 1024, unsent: 64 * 1024 * 1024, message: frameLimit };

/** Where a {@link LineWriter} writes to. */
export interface LineSink {
  /** A text in UTF-8. */
  encode(text: string): Uint8Array;
  /** Memory that is written before it is read. */
  allocate(size: number): Uint8Array;
  /** Writes bytes, and calls `written` once they have left the process's memory. */
  write(bytes: Uint8Array, written: () => void): void;
  /** Calls back at the end of the tick. */
  defer(flush: () => void): void;
  /** More waits than the limit allows. */
  overflow(): void;
}

const encoder = new TextEncoder();
const empty = new Uint8Array(0);

/**
 * The writing half of every channel of lines: collects what one tick sends, counts what has not left yet. A call or an
 * answer with which a tick begins leaves at once; everything else of a tick leaves together at its end.
 */
export class LineWriter {
  readonly #sink: LineSink;
  readonly #limits: WriteLimits;
  readonly #writer = new MessageWriter("\n");
  /** The lines of this tick: those that are bytes already, and then those that are not. */
  #bytes: Uint8Array = empty;
  #size = 0;
  #text = "";
  #deferred = false;
  #inFlight = 0;
  #sealed = false;
  #stopped = false;
  readonly #room = new PendingRoom();
  #idle: (() => void)[] = [];
  readonly #flush = (): void => {
    this.#deferred = false;
    this.flush();
  };

  constructor(sink: LineSink, limits: WriteLimits = writeLimits) {
    this.#sink = sink;
    this.#limits = limits;
  }

  /**
   * @throws TypeError if the message cannot be written as JSON, AcpError `too_large` if it is longer than the limit;
   *   nothing was sent then.
   */
  send(message: Message): Room {
    if (this.#sealed) return undefined;
    const line = this.#writer.write(message);
    if (!isSurelyWithin(line, this.#limits.message)) return this.#sendLarge(message, line);
    // The last piece stays text: where it is all that a tick sends, it becomes bytes of exactly its size.
    if (this.#text !== "" && this.#text.length + line.length >= pieceSize) this.#encode();
    this.#text += line;
    if (this.#text.length >= batchSize) this.#encode();
    if (!this.#deferred) {
      this.#deferred = true;
      this.#sink.defer(this.#flush);
      // Somebody waits for it, and this side goes on with what it has to do meanwhile.
      if ("id" in message) this.flush();
    }
    return this.#roomLeft();
  }

  /** Only its bytes tell whether it is too large, and they are what is written then. */
  #sendLarge(message: Message, line: string): Room {
    const bytes = this.#sink.encode(line);
    // The line end does not count.
    checkSize(message, bytes.length - 1, this.#limits.message);
    this.flush();
    this.#write(bytes);
    return this.#roomLeft();
  }

  #roomLeft(): Room {
    const unsent = this.#inFlight + this.#size + this.#text.length;
    if (unsent < this.#limits.highWater) return undefined;
    if (unsent > this.#limits.unsent) {
      this.#sink.overflow();
      return undefined;
    }
    return this.#room.wait();
  }

  flush(): void {
    if (this.#stopped) return;
    if (this.#size > 0 && this.#text !== "") this.#encode();
    if (this.#size > 0) this.#writeBatch();
    if (this.#text !== "") this.#writeText();
  }

  /** Takes no more, writes what waits, and settles once that has left (`true`) or `stop` was called (`false`). */
  async finish(): Promise<boolean> {
    this.#sealed = true;
    this.#room.open();
    this.flush();
    if (this.#inFlight > 0 && !this.#stopped) await new Promise<void>((resolve) => this.#idle.push(resolve));
    return !this.#stopped;
  }

  /** Nothing is written any more; whoever waits for room may go on. */
  stop(): void {
    this.#sealed = true;
    this.#stopped = true;
    this.#bytes = empty;
    this.#size = 0;
    this.#text = "";
    this.#room.open();
    this.#settleIdle();
  }

  /** Puts the text behind the bytes of the batch, which leaves when it is full. */
  #encode(): void {
    const most = this.#text.length * bytesPerCharacter;
    if (this.#bytes.length - this.#size < most) {
      if (this.#size > 0) this.#writeBatch();
      if (most > batchSize) return this.#writeText();
      this.#bytes = this.#sink.allocate(batchSize);
    }
    this.#size += encoder.encodeInto(this.#text, this.#bytes.subarray(this.#size)).written;
    this.#text = "";
    if (this.#bytes.length - this.#size < pieceSize * bytesPerCharacter) this.#writeBatch();
  }

  #writeBatch(): void {
    const batch = this.#bytes.subarray(0, this.#size);
    // What waits counts as its bytes: in memory that is hardly used, 64 MiB of it would be 1 GiB.
    const isWasteful = batch.length < batchSize / 2;
    const bytes = isWasteful ? this.#sink.allocate(batch.length) : batch;
    if (isWasteful) bytes.set(batch);
    this.#bytes = empty;
    this.#size = 0;
    this.#write(bytes);
  }

  #writeText(): void {
    const bytes = this.#sink.encode(this.#text);
    this.#text = "";
    this.#write(bytes);
  }

  #write(bytes: Uint8Array): void {
    this.#inFlight += bytes.length;
    this.#sink.write(bytes, () => this.#written(bytes.length));
  }

  #written(size: number): void {
    this.#inFlight -= size;
    if (this.#inFlight + this.#size + this.#text.length < this.#limits.highWater) this.#room.open();
    if (this.#inFlight <= 0) this.#settleIdle();
  }

  #settleIdle(): void {
    const waiting = this.#idle;
    this.#idle = [];
    for (const resolve of waiting) resolve();
  }
}
