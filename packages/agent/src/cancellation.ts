/**
 * Something that is called off, or over, once; with what it is part of, at the latest. The signal that says so is made
 * when somebody asks for it: making and firing one costs as much as everything else that happens in a short turn.
 */
export class Cancellation {
  readonly #whole: Cancellation | undefined;
  #controller: AbortController | undefined;
  #reason: string | undefined;
  /** Parts for which a signal was made. */
  #watched: Cancellation[] | undefined;

  constructor(whole?: Cancellation) {
    this.#whole = whole;
  }

  get isCancelled(): boolean {
    return this.#told !== undefined;
  }

  /** Fires with an `AbortError`; that of a part before that of the whole. */
  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      if (this.#told !== undefined) this.#controller.abort(abortError(this.#told));
      else if (this.#whole !== undefined) this.#whole.#watch(this);
    }
    return this.#controller.signal;
  }

  /** The first time counts; `reason` is a sentence. */
  cancel(reason: string): void {
    if (this.#told !== undefined) return;
    this.#reason = reason;
    for (const part of this.#watched ?? []) part.#controller?.abort(abortError(reason));
    this.#controller?.abort(abortError(reason));
  }

  #watch(part: Cancellation): void {
    this.#watched ??= [];
    this.#watched.push(part);
  }

  get #told(): string | undefined {
    return this.#reason ?? (this.#whole === undefined ? undefined : this.#whole.#reason);
  }
}

const abortError = (reason: string): DOMException => new DOMException(reason, "AbortError");
