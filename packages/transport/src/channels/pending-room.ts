/** The promise of room to write that all waiting senders of a channel share. */
export class PendingRoom {
  #promise: Promise<void> | undefined;
  #resolve: (() => void) | undefined;

  get isAwaited(): boolean {
    return this.#promise !== undefined;
  }

  /** Returns the promise that the next {@link open} resolves. */
  wait(): Promise<void> {
    this.#promise ??= new Promise((resolve) => {
      this.#resolve = resolve;
    });
    return this.#promise;
  }

  /** Lets all waiting senders go on. */
  open(): void {
    this.#resolve?.();
    this.#promise = undefined;
    this.#resolve = undefined;
  }
}
