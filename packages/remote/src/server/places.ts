/** Bound that leaves no room: the one of the server, or the one of a principal. */
export type Full = "server" | "principal";

/** Places of a server, and of each principal. */
export type PlaceLimits = { readonly all: number; readonly each: number };

/** Account of the places that are taken: by connections, or by WebSockets without one. */
export class Places {
  readonly #limits: PlaceLimits;
  readonly #byOwner = new Map<string, number>();
  #taken = 0;

  constructor(limits: PlaceLimits) {
    this.#limits = limits;
  }

  /** Returns the bound that leaves no room for a principal, or `undefined`. */
  full(owner: string): Full | undefined {
    if (this.#taken >= this.#limits.all) return "server";
    return (this.#byOwner.get(owner) ?? 0) >= this.#limits.each ? "principal" : undefined;
  }

  /** Takes a place. Returns the function that frees it, which may be called twice. */
  take(owner: string): () => void {
    this.#add(owner, 1);
    let isFree = false;
    return () => {
      if (!isFree) this.#add(owner, -1);
      isFree = true;
    };
  }

  #add(owner: string, count: number): void {
    this.#taken += count;
    const own = (this.#byOwner.get(owner) ?? 0) + count;
    if (own === 0) this.#byOwner.delete(owner);
    else this.#byOwner.set(owner, own);
  }
}
