/** Number of removed items after which the array is compacted. */
const COMPACT_FROM = 1024;

/** First-in, first-out queue. The average time of `shift` does not depend on the length. */
export class Fifo<T> {
  #items: (T | undefined)[] = [];
  #head = 0;

  get length(): number {
    return this.#items.length - this.#head;
  }

  push(item: T): void {
    this.#items.push(item);
  }

  /** Removes and returns the oldest item. Returns `undefined` if the queue is empty. */
  shift(): T | undefined {
    if (this.#head === this.#items.length) return undefined;
    const item = this.#items[this.#head];
    this.#items[this.#head] = undefined;
    this.#head += 1;
    if (this.#head === this.#items.length) this.clear();
    else if (this.#head > COMPACT_FROM && this.#head * 2 > this.#items.length) {
      this.#items = this.#items.slice(this.#head);
      this.#head = 0;
    }
    return item;
  }

  clear(): void {
    this.#items = [];
    this.#head = 0;
  }
}

/** Promise of room to write. All waiting senders of a channel share it. */
export class PendingRoom {
  #promise: Promise<void> | undefined;
  #resolve: (() => void) | undefined;

  get isAwaited(): boolean {
    return this.#promise !== undefined;
  }

  /** Returns a promise that the next call of {@link open} resolves. */
  wait(): Promise<void> {
    this.#promise ??= new Promise((resolve) => {
      this.#resolve = resolve;
    });
    return this.#promise;
  }

  /** Resolves the promise, so that all waiting senders continue. */
  open(): void {
    this.#resolve?.();
    this.#promise = undefined;
    this.#resolve = undefined;
  }
}

/** Returns `true` for any object or function with a method `then`. */
export function isPromise<T>(value: T | PromiseLike<T>): value is PromiseLike<T> {
  return typeof (value as Partial<PromiseLike<T>> | null | undefined)?.then === "function";
}

/** Longest time that a timer can wait, in milliseconds. With a longer time, a timer would fire immediately. */
export const MAX_TIMER_MS = 2 ** 31 - 1;

/**
 * Waits until `work` settles, but at most `graceMs` milliseconds. A `graceMs` above {@link MAX_TIMER_MS} means no
 * limit. Resolves to `false` if `work` did not settle in time. The outcome of `work` is then ignored. Rejects if `work`
 * rejects within this time.
 */
export function withinGrace(work: Promise<unknown>, graceMs: number): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const timer = graceMs > MAX_TIMER_MS ? undefined : setTimeout(resolve, graceMs, false);
    const stop = (): void => clearTimeout(timer);
    work.then(stop, stop);
    work.then(() => resolve(true), reject);
  });
}
