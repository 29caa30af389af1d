/**
 * Maximum number of requests of one connection that begin in one turn of the event loop. Further ones wait for the next
 * turns, in order.
 */
const MOST = 16;

/** Maximum number of requests of one connection that the server decides about at the same time. */
const MOST_OPEN = 100;

/** Turns of one connection. Thousands of requests in one read would keep all other clients waiting. */
export class Turns {
  readonly #waiting = new Set<() => void>();
  #begun = 0;
  #open = 0;
  #isScheduled = false;

  /**
   * Begins the work of a request, now or in a later turn of the event loop. The returned function removes a request
   * that has not begun.
   */
  add(work: () => void): () => void {
    if (this.#hasRoom && this.#waiting.size === 0) this.#begin(work);
    else this.#waiting.add(work);
    return () => void this.#waiting.delete(work);
  }

  /** Records that the server has decided about a request. */
  decided(): void {
    this.#open -= 1;
    if (this.#waiting.size > 0) this.#schedule();
  }

  get #hasRoom(): boolean {
    return this.#begun < MOST && this.#open < MOST_OPEN;
  }

  #begin(work: () => void): void {
    this.#begun += 1;
    this.#open += 1;
    this.#schedule();
    work();
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => this.#next());
  }

  #next(): void {
    this.#isScheduled = false;
    this.#begun = 0;
    for (const work of this.#waiting) {
      if (!this.#hasRoom) return;
      this.#waiting.delete(work);
      this.#begin(work);
    }
  }
}
