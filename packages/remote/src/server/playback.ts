import { withCursor } from "./cursor-text.js";
import type { OutStream, Reader } from "./out-stream.js";

/** Form of the messages for one reader. */
export type PlaybackForm = {
  /** `true` on a resumable connection. */
  readonly hasCursors: boolean;
  /** Messages without cursors, which are sent after the waiting messages and before later ones. */
  readonly afterReplay?: readonly string[];
};

/**
 * Messages of a stream for one reader, as texts: the waiting messages, then the states of sessions, then new messages.
 */
// REM-41, REM-46
export class Playback {
  readonly #stream: OutStream;
  readonly #reader: Reader;
  readonly #hasCursors: boolean;
  readonly #states: string[];
  /** Number of messages before the states. */
  #replay: number;

  constructor(stream: OutStream, reader: Reader, { hasCursors, afterReplay = [] }: PlaybackForm) {
    this.#stream = stream;
    this.#reader = reader;
    this.#hasCursors = hasCursors;
    this.#states = [...afterReplay];
    this.#replay = stream.log.waiting;
  }

  /** `true` if {@link next} has a message. */
  get hasNext(): boolean {
    return this.#stream.log.waiting > 0 || this.#states.length > 0;
  }

  /** Returns the next message, or `undefined` if there is none now. */
  next(): { readonly text: string; readonly cursor?: string } | undefined {
    const state = this.#replay === 0 ? this.#states.shift() : undefined;
    if (state !== undefined) return { text: state };
    const entry = this.#stream.take(this.#reader);
    if (entry === undefined) return undefined;
    if (this.#replay > 0) this.#replay -= 1;
    const { item, cursor } = entry;
    return this.#hasCursors ? { text: withCursor(item, cursor), cursor } : { text: item.text };
  }
}
