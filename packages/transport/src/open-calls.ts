/** One request or send that has not come to its end, between those that were issued before and after it. */
type OpenCall = { number: number; older: OpenCall | undefined; newer: OpenCall | undefined };

/** Sends that wait for the same room to write. */
type Sends = { readonly room: Promise<void>; readonly call: OpenCall; readonly over: Promise<void> };

/**
 * Numbers requests and sends in the order of their issue and tells whether one issued after a moment is still open. They
 * are a chain, which nothing that ended is a part of: some may be open at every moment of a connection's life.
 */
export class OpenCalls {
  #issued = 0;
  #newest: OpenCall | undefined;
  /** The last that waited for room to write. */
  #sends: Sends | undefined;

  /** Number of the newest call. */
  get issued(): number {
    return this.#issued;
  }

  open(): OpenCall {
    return this.#issue({ number: 0, older: undefined, newer: undefined });
  }

  /**
   * Opens a send that ends when there is room. Where many send at once, all of them wait for the same room: one promise
   * and one call stand for them, which counts as issued with the newest.
   */
  openUntil(room: Promise<void>): Promise<void> {
    const sends = this.#sends;
    if (sends?.room === room) {
      this.close(sends.call);
      this.#issue(sends.call);
      return sends.over;
    }
    const call = this.open();
    const over = room.then(() => {
      this.close(call);
      if (this.#sends?.call === call) this.#sends = undefined;
    });
    this.#sends = { room, call, over };
    return over;
  }

  close(call: OpenCall): void {
    const { older, newer } = call;
    if (older !== undefined) older.newer = newer;
    if (newer !== undefined) newer.older = older;
    else this.#newest = older;
    // Memory that was given up must not hold on to what came later: V8 would keep that, too, until it looks at all.
    call.newer = undefined;
  }

  anyAfter(moment: number): boolean {
    return this.#newest !== undefined && this.#newest.number > moment;
  }

  #issue(call: OpenCall): OpenCall {
    this.#issued += 1;
    call.number = this.#issued;
    call.older = this.#newest;
    if (this.#newest !== undefined) this.#newest.newer = call;
    this.#newest = call;
    return call;
  }
}
