import type { CloseReason } from "../channel.js";
import { textOf } from "../errors.js";

/** Time that a close gives the other side to take what was sent, in milliseconds. */
export const FLUSH_MS = 5000;

/**
 * The end of a channel. The first reason counts, and the channel is shut down once. `closed` settles after the
 * shutdown if this side closed the channel, and at once for every other reason.
 */
export class Closing {
  readonly closed: Promise<CloseReason>;
  #settle!: (reason: CloseReason) => void;
  #over: Promise<void> | undefined;
  readonly #shutDown: (reason: CloseReason) => Promise<void> | void;

  /** `shutDown` stops delivery, writes waiting messages and closes. It may return a promise. */
  constructor(shutDown: (reason: CloseReason) => Promise<void> | void) {
    this.#shutDown = shutDown;
    this.closed = new Promise((resolve) => {
      this.#settle = resolve;
    });
  }

  get hasBegun(): boolean {
    return this.#over !== undefined;
  }

  /** Shuts the channel down, or returns the promise of the shutdown that has begun already. */
  begin(reason: CloseReason): Promise<void> {
    this.#over ??= this.#run(reason);
    return this.#over;
  }

  async #run(reason: CloseReason): Promise<void> {
    // Settled before the shutdown, which resolves promises of room. So a sender that continues finds the channel
    // closed.
    if (reason.kind !== "local") this.#settle(reason);
    const shutDown = this.#shutDown(reason);
    if (shutDown !== undefined) await shutDown;
    this.#settle(reason);
  }
}

/** Returns the close reason for a failed operation. `doing` names the operation, for example `Reading from`. */
export function failedReason(doing: string, cause: unknown): CloseReason {
  return { kind: "failed", message: `${doing} the other side failed: ${textOf(cause)}.`, cause };
}
