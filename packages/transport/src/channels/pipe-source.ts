import type { Channel } from "../channel.js";

/** Length of a pause after which the side is read for its end, in milliseconds. */
const PROBE_MS = 1_000;

/** Maximum number of bytes that are read during a pause. The pipe of a dead process never contains that much. */
const PROBE_BYTES = 8 * 1024 * 1024;

/** Time after which a side with more bytes than {@link PROBE_BYTES} is closed, in milliseconds. */
const STUCK_MS = 10 * 60_000;

/**
 * Side of a pipe. Its channel is paused as long as a promise of `holdUntil` is pending. A paused channel does not notice
 * the end of its side, so a longer pause is interrupted for a bounded number of bytes.
 */
export class PipeSource {
  readonly channel: Channel;
  #holds = 0;
  #hasEnded = false;
  /** Number of bytes that may still be read during this pause. `undefined` while nothing is read. */
  #room: number | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(channel: Channel) {
    this.channel = channel;
  }

  /** Pauses the channel until `done` settles. */
  holdUntil(done: PromiseLike<unknown>): void {
    this.#holds += 1;
    if (this.#holds === 1 && !this.#hasEnded) {
      this.channel.pause();
      this.#timer = setTimeout(() => this.#probe(), PROBE_MS);
    }
    const release = () => {
      this.#holds -= 1;
      if (this.#holds > 0) return;
      this.#stop();
      this.channel.resume();
    };
    void done.then(release, release);
  }

  /** Counts a received message. */
  received(bytes: number): void {
    if (this.#room === undefined) return;
    this.#room -= bytes;
    if (this.#room > 0) return;
    this.#room = undefined;
    this.channel.pause();
    const message = `More than ${PROBE_BYTES / 1024 / 1024} MiB waited for the other side of the pipe for 10 min.`;
    this.#timer = setTimeout(() => void this.channel.close({ kind: "overflow", message }), STUCK_MS);
  }

  /** Stops the timers, because the channel has closed. */
  end(): void {
    this.#hasEnded = true;
    this.#stop();
  }

  #probe(): void {
    this.#room = PROBE_BYTES;
    this.channel.resume();
  }

  #stop(): void {
    this.#room = undefined;
    clearTimeout(this.#timer);
  }
}
