/** Number of records below which none is removed. */
const LEAST = 1024;

/**
 * Records of what was sent, by id. A record stays at least as long as the sender's state has what it is about; those of
 * what the state has dropped are forgotten when there are twice as many as last time.
 */
export class Sent<V> {
  readonly #records = new Map<string, V>();
  readonly #least: number;
  #most: number;
  #rounds = 0;

  /** @param least with fewer records none is forgotten */
  constructor(least = LEAST) {
    this.#least = least;
    this.#most = least;
  }

  /** Number of clean-ups so far. Part of new names, so that they never equal a removed one. */
  get rounds(): number {
    return this.#rounds;
  }

  get size(): number {
    return this.#records.size;
  }

  get(id: string): V | undefined {
    return this.#records.get(id);
  }

  has(id: string): boolean {
    return this.#records.has(id);
  }

  /** @param isKept whether the state has what an id names */
  set(id: string, record: V, isKept: (id: string) => boolean): void {
    this.#records.set(id, record);
    if (this.#records.size <= this.#most) return;
    for (const known of this.#records.keys()) if (known !== id && !isKept(known)) this.#records.delete(known);
    this.#most = Math.max(this.#least, 2 * this.#records.size);
    this.#rounds += 1;
  }

  ids(): Iterable<string> {
    return this.#records.keys();
  }

  delete(id: string): void {
    this.#records.delete(id);
  }
}
