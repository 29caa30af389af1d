/** Time during which an object is usable. The time ends when `signal` fires. */
export type Lifetime = { readonly signal: AbortSignal };

/**
 * Cancellation of work that may have parts. A cancel of the work also cancels its parts, and a cancel of a part cancels
 * only this part. A part has no parts of its own. Only the first cancel has an effect. The signal is created on the
 * first read, because a signal costs as much as the rest of a short turn.
 */
export class Cancellation implements Lifetime {
  readonly #whole: Cancellation | undefined;
  #controller: AbortController | undefined;
  #reason: string | undefined;
  /** Parts whose signal was read. */
  #watched: Cancellation[] | undefined;

  constructor(whole?: Cancellation) {
    this.#whole = whole;
  }

  get isCancelled(): boolean {
    return this.#effectiveReason !== undefined;
  }

  /** Signal that fires with an `AbortError`. The signal of a part fires before the signal of the whole work. */
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
   * Cancels with a reason. Later calls do nothing.
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
