/** Promise that is settled from outside, once. Later calls do nothing. */
export class Deferred<T> {
  readonly promise: Promise<T>;
  isSettled = false;
  readonly #resolve: (value: T) => void;

  constructor() {
    let resolve!: (value: T) => void;
    this.promise = new Promise((settle) => {
      resolve = settle;
    });
    this.#resolve = resolve;
  }

  resolve(value: T): void {
    this.isSettled = true;
    this.#resolve(value);
  }
}
