/** What comes out once. Its promise is made when somebody asks for it: nobody asks for most of what a prompt has. */
export class Outcome<T> {
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

  /** The first time counts. */
  settle(value: T): void {
    if (this.#isSettled) return;
    this.#isSettled = true;
    this.#value = value;
    this.#resolve?.(value);
  }
}
