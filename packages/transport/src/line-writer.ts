import type { Room } from "./channel.js";
import type { Message } from "./message.js";
import { MessageWriter } from "./message-writer.js";

/** How many characters are collected before they are written without waiting for the end of the tick: 64 Ki. */
const batchSize = 64 * 1024;

/** What may wait to be written, in bytes. */
export type WriteLimits = {
  /** From here on `send` answers with a promise of room. 256 KiB unless said otherwise. */
  readonly highWater: number;
  /** Above this the channel closes as `overflow`. 64 MiB unless said otherwise. */
  readonly unsent: number;
};

/** The limits of a channel that were not given another value. */
export const writeLimits: WriteLimits = { highWater: 256 * 1024, unsent: 64 * 1024 * 1024 };

/** Where a {@link LineWriter} writes to. */
export interface LineSink {
  /** Writes text, answers with its size in bytes, and calls `written` once it has left the process's memory. */
  write(text: string, written: () => void): number;
  /** Calls back at the end of the tick. */
  defer(flush: () => void): void;
  /** More waits than the limit allows. */
  overflow(): void;
}

/**
 * The writing half of every channel of lines: collects what one tick sends, counts what has not left yet. A call or an
 * answer with which a tick begins leaves at once; everything else of a tick leaves together at its end.
 */
export class LineWriter {
  readonly #sink: LineSink;
  readonly #limits: WriteLimits;
  readonly #writer = new MessageWriter();
  #batch = "";
  #deferred = false;
  #inFlight = 0;
  #sealed = false;
  #stopped = false;
  #room: Promise<void> | undefined;
  #makeRoom: (() => void) | undefined;
  #idle: (() => void)[] = [];
  readonly #flush = (): void => {
    this.#deferred = false;
    this.flush();
  };

  constructor(sink: LineSink, limits: WriteLimits = writeLimits) {
    this.#sink = sink;
    this.#limits = limits;
  }

  /** @throws TypeError if the message cannot be written as JSON; nothing was sent then. */
  send(message: Message): Room {
    if (this.#sealed) return undefined;
    const line = this.#writer.write(message);
    if (this.#batch.length + line.length >= batchSize) this.flush();
    this.#batch += line;
    this.#batch += "\n";
    if (this.#batch.length >= batchSize) this.flush();
    else if (!this.#deferred) {
      this.#deferred = true;
      this.#sink.defer(this.#flush);
      // Somebody waits for it, and this side goes on with what it has to do meanwhile.
      if ("id" in message) this.flush();
    }
    const unsent = this.#inFlight + this.#batch.length;
    if (unsent < this.#limits.highWater) return undefined;
    if (unsent > this.#limits.unsent) {
      this.#sink.overflow();
      return undefined;
    }
    this.#room ??= new Promise((resolve) => {
      this.#makeRoom = resolve;
    });
    return this.#room;
  }

  flush(): void {
    if (this.#batch === "" || this.#stopped) return;
    const text = this.#batch;
    this.#batch = "";
    const size = this.#sink.write(text, () => this.#written(size));
    this.#inFlight += size;
  }

  /** Takes no more, writes what waits, and settles once that has left (`true`) or `stop` was called (`false`). */
  async finish(): Promise<boolean> {
    this.#sealed = true;
    this.#openRoom();
    this.flush();
    if (this.#inFlight > 0 && !this.#stopped) await new Promise<void>((resolve) => this.#idle.push(resolve));
    return !this.#stopped;
  }

  /** Nothing is written any more; whoever waits for room may go on. */
  stop(): void {
    this.#sealed = true;
    this.#stopped = true;
    this.#batch = "";
    this.#openRoom();
    this.#settleIdle();
  }

  #written(size: number): void {
    this.#inFlight -= size;
    if (this.#inFlight + this.#batch.length < this.#limits.highWater) this.#openRoom();
    if (this.#inFlight <= 0) this.#settleIdle();
  }

  #openRoom(): void {
    this.#makeRoom?.();
    this.#room = undefined;
    this.#makeRoom = undefined;
  }

  #settleIdle(): void {
    const waiting = this.#idle;
    this.#idle = [];
    for (const resolve of waiting) resolve();
  }
}
