/** One open request or send, linked to those that were issued before and after it. */
type OpenCall = { number: number; older: OpenCall | undefined; newer: OpenCall | undefined };

/** Sends that wait for the same promise of room. */
type Sends = { readonly room: Promise<void>; readonly call: OpenCall; readonly over: Promise<void> };

/**
 * The open requests and sends of a connection, numbered in the order of their issue. They form a linked list without the
 * ended ones, since some call may be open at every moment.
 */
export class OpenCalls {
  #issued = 0;
  #newest: OpenCall | undefined;
  /** The latest sends that waited for room. */
  #sends: Sends | undefined;

  /** Number of the newest call. */
  get issued(): number {
    return this.#issued;
  }

  open(): OpenCall {
    return this.#issue({ number: 0, older: undefined, newer: undefined });
  }

  /**
   * Opens a send that ends when there is room. Sends that wait for the same room share one promise and one call, which
   * takes the number of the newest.
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
    // A closed call in V8's old generation would keep all later ones alive until the next full collection.
    call.newer = undefined;
  }

  /** Returns true if a call issued after `moment` is open. */
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
