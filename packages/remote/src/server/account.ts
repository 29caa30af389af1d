/** Bound that is reached: the bound of the server, or the bound of a principal. */
export type Full = "server" | "principal";

/** Bounds of an account: for all, and for each principal. */
export type AccountLimits = { readonly all: number; readonly each: number };

/** Counted object, such as a connection, an arriving body, or a WebSocket. */
export interface Holding {
  /**
   * Adds to the count, or subtracts from it. At a bound, the largest object is made smaller or ended, which may be this
   * one.
   */
  add(size: number): void;
  /** Ends the counting of this object. May be called twice. */
  end(): void;
}

type Part = { size: number; readonly giveUp: (full: Full) => void };
type Owner = { size: number; readonly parts: Set<Part> };

/**
 * Counter of the places, bytes or characters that principals use. If a principal exceeds its bound, its largest object
 * is made smaller or ended. If all principals together exceed their bound, this happens to the principal with the
 * largest total.
 */
// REM-22
export class Account {
  readonly #limits: AccountLimits;
  readonly #owners = new Map<string | undefined, Owner>();
  #size = 0;

  constructor(limits: AccountLimits) {
    this.#limits = limits;
  }

  /** Returns the bound that `size` more of a principal would exceed, or `undefined`. */
  full(owner: string | undefined, size = 1): Full | undefined {
    if (this.#size + size > this.#limits.all) return "server";
    const own = this.#owners.get(owner)?.size ?? 0;
    return owner !== undefined && own + size > this.#limits.each ? "principal" : undefined;
  }

  /**
   * Returns the bound at which a principal gets no more room: its own bound, or the bound for all if it has the largest
   * total.
   */
  refusal(owner: string, size: number): Full | undefined {
    const { all, each } = this.#limits;
    const own = this.#owners.get(owner);
    if ((own?.size ?? 0) + size > each) return each < all ? "principal" : "server";
    return this.#size + size > all && own === largest(this.#owners.values()) ? "server" : undefined;
  }

  /**
   * Begins to count an object of a principal. Without a principal, only the bound for all counts. At a bound, `giveUp`
   * makes it smaller, or ends it.
   */
  hold(owner: string | undefined, giveUp: (full: Full) => void = () => {}): Holding {
    const part: Part = { size: 0, giveUp };
    const own = this.#owners.get(owner) ?? { size: 0, parts: new Set() };
    this.#owners.set(owner, own);
    own.parts.add(part);
    const count = (size: number) => {
      part.size += size;
      own.size += size;
      this.#size += size;
    };
    return {
      add: (size) => {
        if (!own.parts.has(part)) return;
        count(size);
        if (size > 0) this.#settle(owner);
      },
      end: () => {
        if (!own.parts.delete(part)) return;
        count(-part.size);
        if (own.parts.size === 0) this.#owners.delete(owner);
      },
    };
  }

  #settle(owner: string | undefined): void {
    for (let full = this.full(owner, 0); full !== undefined; full = this.full(owner, 0)) {
      const before = this.#size;
      const from = full === "principal" ? this.#owners.get(owner) : largest(this.#owners.values());
      largest(from?.parts ?? [])?.giveUp(full);
      if (this.#size >= before) return;
    }
  }
}

/** Returns the largest object. Of equal ones, returns the newest. */
export function largest<T extends { readonly size: number }>(all: Iterable<T>): T | undefined {
  let most: T | undefined;
  for (const one of all) if (most === undefined || one.size >= most.size) most = one;
  return most;
}

/**
 * Returns the bounds of arriving bytes. A principal has a quarter: by default it may send four of the largest messages
 * together, and three other principals still have room. A quarter is never less than two messages, so that a single
 * message always fits.
 */
export function arrivalLimits(all: number, message: number): AccountLimits {
  return { all, each: Math.max(all / 4, message * 2) };
}
