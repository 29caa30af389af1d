import type { ReconnectLimits } from "./remote-options.js";
import type { Status } from "./status.js";

/** Time in milliseconds. If a stream was open for this time, its next cut begins a new count of attempts. */
const STEADY_MS = 10_000;

/** Default limits of reconnecting. */
export const RECONNECT: ReconnectLimits = {
  ...{ attempts: 10, firstDelayMs: 500, longestDelayMs: 10_000, silenceMs: 75_000 },
};

/** Delays between the attempts to reopen one stream: random, doubling, and of a limited number. */
// REM-43, REM-53
export class Backoff {
  readonly #limits: ReconnectLimits;
  readonly #status: Status;
  #attempt = 0;
  #openedAt: number | undefined;

  constructor(limits: ReconnectLimits, status: Status) {
    this.#limits = limits;
    this.#status = status;
  }

  /** Records that the stream is open again. */
  opened(): void {
    this.#openedAt = Date.now();
    this.#status.restored(this);
  }

  /** Begins a new count, because a message arrived. */
  progress(): void {
    this.#attempt = 0;
  }

  /** Waits before the next attempt. Resolves to `false` if no attempt is left, or if `signal` aborts. */
  async next(message: string, signal: AbortSignal): Promise<boolean> {
    if (this.#openedAt !== undefined && Date.now() - this.#openedAt > STEADY_MS) this.#attempt = 0;
    this.#openedAt = undefined;
    const { attempts, firstDelayMs, longestDelayMs } = this.#limits;
    if (signal.aborted || this.#attempt >= attempts) return false;
    const most = Math.min(longestDelayMs, firstDelayMs * 2 ** this.#attempt);
    const delayMs = Math.round(most / 2 + (Math.random() * most) / 2);
    this.#attempt += 1;
    this.#status.reconnecting(this, { status: "reconnecting", attempt: this.#attempt, delayMs, message });
    await delay(delayMs, signal, globalThis as Partial<EventTarget>);
    return !signal.aborted;
  }
}

/** Waits for a time, until `signal` aborts, or until the browser of a page is online again. */
export function delay(ms: number, signal: AbortSignal, page: Partial<EventTarget> = {}): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", done);
      page.removeEventListener?.("online", done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal.addEventListener("abort", done);
    page.addEventListener?.("online", done);
    if (signal.aborted) done();
  });
}
