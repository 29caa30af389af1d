/** Value that is settled once. The promise is made on the first read, because most values of a prompt are never awaited. */
export class Deferred<T> {
  #isSettled = false;
  #value: T | undefined;
  #promise: Promise<T> | undefined;
  #resolve: ((value: T) => void) | undefined;

  get isSettled(): boolean {
    return this.#isSettled;
  }

  get promise(): Promise<T> {
    this.#promise ??= this.#isSettled
      ? Promise.resolve(this.#value as T)
      : new Promise((resolve) => {
          this.#resolve = resolve;
        });
    return this.#promise;
  }

  /** Settles the value. Later calls do nothing. */
  resolve(value: T): void {
    if (this.#isSettled) return;
    this.#isSettled = true;
    this.#value = value;
    this.#resolve?.(value);
  }
}
