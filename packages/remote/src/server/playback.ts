import { mostPacked } from "../wire/packed.js";
import { withCursor } from "./cursor-text.js";
import type { Outgoing, OutStream, Reader } from "./out-stream.js";

/** Form of the messages for one reader. */
export type PlaybackForm = {
  /** `true` on a resumable connection. */
  readonly hasCursors: boolean;
  /** `true` if a frame may have several messages from the start. Otherwise the answer that agrees allows it. */
  readonly isPacked: boolean;
  /** Messages without cursors, which are sent after the waiting messages and before later ones. */
  readonly afterReplay?: readonly string[];
};

/** Messages that are sent together, as texts without line breaks. The cursor is that of the last message. */
export type Frame = { readonly texts: readonly string[]; readonly cursor?: string };

/**
 * Messages of a stream for one reader, as frames: the waiting messages, then the states of sessions, then new messages.
 */
// REM-41, REM-46
export class Playback {
  /** `true` if a frame may have several messages. */
  isPacked: boolean;
  readonly #stream: OutStream;
  readonly #reader: Reader;
  readonly #hasCursors: boolean;
  readonly #states: string[];
  /** Number of messages before the states. */
  #replay: number;

  constructor(stream: OutStream, reader: Reader, { hasCursors, isPacked, afterReplay = [] }: PlaybackForm) {
    this.#stream = stream;
    this.#reader = reader;
    this.#hasCursors = hasCursors;
    this.isPacked = isPacked;
    this.#states = [...afterReplay];
    this.#replay = stream.log.waiting;
  }

  /** `true` if {@link next} has a frame. */
  get hasNext(): boolean {
    return this.#stream.log.waiting > 0 || this.#states.length > 0;
  }

  /** Returns the next frame, or `undefined` if there is none now. */
  next(): Frame | undefined {
    const state = this.#replay === 0 ? this.#states.shift() : undefined;
    if (state !== undefined) return { texts: [state] };
    const texts: string[] = [];
    let last = this.#take();
    let size = 0;
    for (
      let taken = last;
      taken !== undefined;
      taken = this.#mayFollow(taken, size, texts.length) ? this.#take() : undefined
    ) {
      texts.push(taken.text);
      size += taken.text.length;
      last = taken;
    }
    if (last === undefined) return undefined;
    if (last.agrees) this.isPacked = true;
    if (!this.#hasCursors) return { texts };
    // The frame arrives as a whole or not at all. Therefore only its last message has a cursor.
    const { cursor } = this.#stream.log;
    texts[texts.length - 1] = withCursor(last, cursor);
    return { texts, cursor };
  }

  #take(): Outgoing | undefined {
    const outgoing = this.#stream.take(this.#reader);
    if (outgoing !== undefined && this.#replay > 0) this.#replay -= 1;
    return outgoing;
  }

  /** Returns `true` if the message after `last` goes into the same frame, which has `count` messages already. */
  #mayFollow(last: Outgoing, size: number, count: number): boolean {
    if (!this.isPacked || last.agrees || count >= mostPacked.messages) return false;
    if (this.#replay === 0 && this.#states.length > 0) return false;
    const { next } = this.#stream.log;
    return next !== undefined && size + next.text.length <= mostPacked.characters;
  }
}
