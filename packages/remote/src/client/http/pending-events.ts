import { FrameError } from "@turnkit/transport";
import { MAX_INCOMPLETE_EVENT_BYTES } from "../../wire/limits.js";

/**
 * Sizes of the incomplete events of all streams of a connection. Without this sum, each stream could use its whole
 * bound.
 */
export class PendingEvents {
  readonly #sizes = new Map<object, number>();
  #size = 0;

  /**
   * Sets the size of the event of a stream, in bytes.
   *
   * @throws FrameError if all events together are too large
   */
  set(stream: object, bytes: number): void {
    this.#size += bytes - (this.#sizes.get(stream) ?? 0);
    if (bytes === 0) this.#sizes.delete(stream);
    else this.#sizes.set(stream, bytes);
    if (this.#size <= MAX_INCOMPLETE_EVENT_BYTES || bytes === 0) return;
    throw new FrameError(
      `Events that have not ended take more than ${MAX_INCOMPLETE_EVENT_BYTES} bytes, on all streams together.`,
    );
  }
}
