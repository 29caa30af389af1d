/** Signal that aborts with another signal, or when a timer ends. `AbortSignal.any` would leak in Node 20. */
export class Deadline {
  readonly #own = new AbortController();
  readonly #parent: AbortSignal;
  readonly #ms: number | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  readonly #onAbort = () => this.#own.abort(this.#parent.reason);

  /** Starts the timer. Without `ms` there is no timer. Call {@link end} when the work is over. */
  constructor(parent: AbortSignal, ms: number | undefined) {
    this.#parent = parent;
    this.#ms = ms;
    parent.addEventListener("abort", this.#onAbort);
    if (parent.aborted) this.#onAbort();
    this.restart();
  }

  get signal(): AbortSignal {
    return this.#own.signal;
  }

  /** Restarts the timer. */
  restart(): void {
    this.stop();
    if (this.#ms === undefined) return;
    const error = new Error(`nothing arrived for ${this.#ms} ms`);
    this.#timer = setTimeout(() => this.#own.abort(error), this.#ms);
  }

  /** Stops the timer, for example while this side does not read. */
  stop(): void {
    clearTimeout(this.#timer);
  }

  /** Stops the timer, and removes the listener from the other signal. */
  end(): void {
    this.stop();
    this.#parent.removeEventListener("abort", this.#onAbort);
  }
}
