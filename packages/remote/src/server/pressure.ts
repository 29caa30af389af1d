import type { Channel } from "@turnkit/transport";
import type { OutStream } from "./out-stream.js";
import type { OutStreams } from "./out-streams.js";
import type { RemoteLimits } from "./server-options.js";

/** Backpressure for the agent of a connection: the agent waits while unread messages exceed a bound. */
// REM-23
export class Pressure {
  readonly #channel: Channel;
  readonly #streams: OutStreams;
  readonly #limits: RemoteLimits;
  /** Called with the stream that made no progress for too long. */
  readonly #stalled: (stream: OutStream) => void;
  /** Stream whose bound stops the agent. */
  #full: OutStream | undefined;
  #progressAt = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    { channel, streams }: { readonly channel: Channel; readonly streams: OutStreams },
    limits: RemoteLimits,
    stalled: (stream: OutStream) => void,
  ) {
    this.#channel = channel;
    this.#streams = streams;
    this.#limits = limits;
    this.#stalled = stalled;
  }

  /** Stops the agent if this stream, or all streams together, have reached a bound. */
  added(stream: OutStream): void {
    if (this.#full !== undefined || this.#isBelow(stream, 1)) return;
    this.#full = stream;
    this.#channel.pause();
    this.#progressAt = Date.now();
    this.#watch(this.#limits.stalledMs);
  }

  /** Lets the agent continue when half of the room is free. */
  taken(stream: OutStream): void {
    const full = this.#full;
    if (full === undefined) return;
    // If the bound of the connection stops the agent, the progress of any stream counts.
    if (stream === full || full.log.unread < this.#limits.streamCharacters) this.#progressAt = Date.now();
    if (!this.#isBelow(full, 0.5)) return;
    this.stop();
    this.#channel.resume();
  }

  /** Ends the wait for room, and its timer. The channel is not changed. */
  stop(): void {
    this.#full = undefined;
    clearTimeout(this.#timer);
  }

  #isBelow({ log }: OutStream, part: number): boolean {
    const { streamCharacters, connectionCharacters } = this.#limits;
    return log.unread < streamCharacters * part && this.#streams.sizes.unread < connectionCharacters * part;
  }

  #watch(ms: number): void {
    this.#timer = setTimeout(() => {
      const rest = this.#progressAt + this.#limits.stalledMs - Date.now();
      if (rest > 0) return this.#watch(rest);
      const largest = this.#streams.all().reduce((one, other) => (other.log.unread > one.log.unread ? other : one));
      this.#watch(this.#limits.stalledMs);
      this.#stalled(largest);
      if (this.#full !== undefined) this.taken(this.#full);
    }, ms);
  }
}
