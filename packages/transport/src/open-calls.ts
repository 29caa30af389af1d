/** One request or send that has not come to its end. */
export type OpenCall = { number: number; isOpen: boolean };

/**
 * Numbers requests and sends in the order of their issue and tells whether one issued after a moment is still open.
 * Amortised constant time: finished ones are dropped from the top.
 */
export class OpenCalls {
  #issued = 0;
  /** By number; of those below the newest open one some may have finished. */
  readonly #calls: OpenCall[] = [];

  /** Number of the newest call. */
  get issued(): number {
    return this.#issued;
  }

  open(): OpenCall {
    this.#issued += 1;
    const call = { number: this.#issued, isOpen: true };
    this.#calls.push(call);
    return call;
  }

  /** The call goes on as one that was issued now: for sends that end together, of which the newest stands for all. */
  renew(call: OpenCall): OpenCall {
    if (this.#calls.at(-1) === call) {
      this.#issued += 1;
      call.number = this.#issued;
      return call;
    }
    this.close(call);
    return this.open();
  }

  close(call: OpenCall): void {
    call.isOpen = false;
    while (this.#calls.at(-1)?.isOpen === false) this.#calls.pop();
  }

  anyAfter(moment: number): boolean {
    const newest = this.#calls.at(-1);
    return newest !== undefined && newest.number > moment;
  }
}
