/** Time during which something is usable. It ends when `signal` fires. */
export type Lifetime = { readonly signal: AbortSignal };

/**
 * Cancel that happens at most once. A part is cancelled with its whole, or earlier; a part has no parts. The signal is made
 * on the first read: making and firing one costs as much as the rest of a short turn.
 */
export class Cancellation implements Lifetime {
  readonly #whole: Cancellation | undefined;
  #controller: AbortController | undefined;
  #reason: string | undefined;
  /** Parts that have a signal. */
  #watched: Cancellation[] | undefined;

  constructor(whole?: Cancellation) {
    this.#whole = whole;
  }

  get isCancelled(): boolean {
    return this.#effectiveReason !== undefined;
  }

  /** Signal that fires with an `AbortError`. The signal of a part fires before that of the whole. */
  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      const reason = this.#effectiveReason;
      if (reason !== undefined) this.#controller.abort(abortError(reason));
      else if (this.#whole !== undefined) this.#whole.#watch(this);
    }
    return this.#controller.signal;
  }

  /**
   * Cancels. The first call counts.
   *
   * @param reason a sentence
   */
  cancel(reason: string): void {
    if (this.#effectiveReason !== undefined) return;
    this.#reason = reason;
    for (const part of this.#watched ?? []) part.#controller?.abort(abortError(reason));
    this.#controller?.abort(abortError(reason));
  }

  #watch(part: Cancellation): void {
    this.#watched ??= [];
    this.#watched.push(part);
  }

  get #effectiveReason(): string | undefined {
    return this.#reason ?? (this.#whole === undefined ? undefined : this.#whole.#reason);
  }
}

const abortError = (reason: string): DOMException => new DOMException(reason, "AbortError");
