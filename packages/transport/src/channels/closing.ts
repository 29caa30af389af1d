import type { CloseReason } from "../channel.js";
import { asSentence, textOf } from "../errors.js";

/** Time that a closing channel gives the other side to read the sent messages, in milliseconds. */
export const FLUSH_MS = 5000;

/**
 * The end of a channel. Only the first reason counts, and the channel is shut down once. If this side closed the
 * channel, `closed` settles after the shutdown. For every other reason, `closed` settles immediately.
 */
export class Closing {
  readonly closed: Promise<CloseReason>;
  #settle!: (reason: CloseReason) => void;
  #over: Promise<void> | undefined;
  readonly #shutDown: (reason: CloseReason) => Promise<void> | void;

  /** Creates an open end. `shutDown` stops delivery, writes waiting messages and closes. */
  constructor(shutDown: (reason: CloseReason) => Promise<void> | void) {
    this.#shutDown = shutDown;
    this.closed = new Promise((resolve) => {
      this.#settle = resolve;
    });
  }

  get hasBegun(): boolean {
    return this.#over !== undefined;
  }

  /** Shuts the channel down. If the shutdown has already begun, returns its promise. */
  begin(reason: CloseReason): Promise<void> {
    this.#over ??= this.#run(reason);
    return this.#over;
  }

  async #run(reason: CloseReason): Promise<void> {
    // The shutdown resolves promises of room. `closed` settles before, so that a sender that continues finds the
    // channel closed.
    if (reason.kind !== "local") this.#settle(reason);
    const shutDown = this.#shutDown(reason);
    if (shutDown !== undefined) await shutDown;
    this.#settle(reason);
  }
}

/** Returns the close reason for a failed operation. `doing` names the failed operation, for example `Reading from`. */
export function failedReason(doing: string, cause: unknown): CloseReason {
  return { kind: "failed", message: asSentence(`${doing} the other side failed: ${textOf(cause)}`), cause };
}
