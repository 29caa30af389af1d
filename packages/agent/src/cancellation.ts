/**
 * Something that is called off, or over, once. The signal that says so is made when somebody asks for it: making and
 * firing one costs as much as everything else that happens in a short turn.
 */
export class Cancellation {
  #controller: AbortController | undefined;
  #reason: string | undefined;
  #watchers: (() => void)[] | undefined;

  get isCancelled(): boolean {
    return this.#reason !== undefined;
  }

  /** Fires with an `AbortError`. */
  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      if (this.#reason !== undefined) this.#controller.abort(abortError(this.#reason));
    }
    return this.#controller.signal;
  }

  /** The first time counts; `reason` is a sentence. Watchers are told before those who listen to the signal. */
  cancel(reason: string): void {
    if (this.#reason !== undefined) return;
    this.#reason = reason;
    const watchers = this.#watchers ?? [];
    this.#watchers = undefined;
    for (const watcher of watchers) watcher();
    this.#controller?.abort(abortError(reason));
  }

  /** Runs `watcher` once, when this is cancelled; at once if it was. */
  onCancel(watcher: () => void): void {
    if (this.#reason !== undefined) return watcher();
    this.#watchers ??= [];
    this.#watchers.push(watcher);
  }
}

const abortError = (reason: string): DOMException => new DOMException(reason, "AbortError");
