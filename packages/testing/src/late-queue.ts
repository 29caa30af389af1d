import { sessionOf } from "./fault-plan.js";
import { nextTurn } from "./patience.js";

type Item<T> = {
  readonly value: T;
  readonly session: string | undefined;
  readonly mayBeOvertaken: boolean;
  until: number;
};

/**
 * Queue that delays items by some turns of the event loop. Later items wait for a delayed item. Only calls of other
 * sessions may overtake it, if the item is marked with `mayBeOvertaken`.
 */
export class LateQueue<T> {
  readonly #release: (value: T) => void;
  readonly #emptied: () => void;
  #items: Item<T>[] = [];
  #turn = 0;
  #ticking = false;
  #pumping = false;
  #paused = false;

  /** @param emptied called whenever the queue becomes empty */
  constructor(release: (value: T) => void, emptied: () => void) {
    this.#release = release;
    this.#emptied = emptied;
  }

  get length(): number {
    return this.#items.length;
  }

  push(value: T, { turns, mayBeOvertaken }: { readonly turns: number; readonly mayBeOvertaken: boolean }): void {
    const message = (value as { message?: unknown }).message ?? value;
    this.#items.push({ value, session: sessionOf(message), mayBeOvertaken, until: this.#turn + turns });
    this.#pump();
  }

  pause(): void {
    this.#paused = true;
  }

  resume(): void {
    this.#paused = false;
    this.#pump();
  }

  /** Ends all delays. */
  flush(): void {
    for (const item of this.#items) item.until = 0;
    this.#pump();
  }

  drop(): void {
    this.#items = [];
  }

  #pump(): void {
    // A call of `release` may push, pause or drop items.
    if (this.#pumping) return;
    this.#pumping = true;
    const had = this.#items.length > 0;
    try {
      for (let at = this.#firstDue(); at >= 0 && !this.#paused; at = this.#firstDue()) {
        const [item] = this.#items.splice(at, 1);
        if (item !== undefined) this.#release(item.value);
      }
    } finally {
      this.#pumping = false;
    }
    if (this.#items.length > 0) this.#tick();
    else if (had) this.#emptied();
  }

  #firstDue(): number {
    const overtaken = new Set<string>();
    for (const [at, { session, until, mayBeOvertaken }] of this.#items.entries()) {
      const isLate = until > this.#turn;
      if (session === undefined) return isLate || overtaken.size > 0 ? -1 : at;
      // An earlier item of the same session is still delayed.
      if (overtaken.has(session)) continue;
      if (!isLate) return at;
      if (!mayBeOvertaken) return -1;
      overtaken.add(session);
    }
    return -1;
  }

  #tick(): void {
    if (this.#ticking || this.#paused) return;
    this.#ticking = true;
    nextTurn(() => {
      this.#ticking = false;
      this.#turn++;
      this.#pump();
    });
  }
}
