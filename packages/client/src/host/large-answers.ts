import { type InboundCall, type Room, RpcError } from "@turnkit/transport";

/** Owner of the signal that withdraws a request. The signal is read only if the request has to wait. */
type Withdrawal = { readonly signal: AbortSignal };

type Waiting = { readonly takesPlace: boolean; readonly begin: () => void };

/**
 * Requests of one connection with large answers. These rules limit the memory for answers, whatever the number of requests:
 *
 * - Requests begin in order, with a maximum number at the same time.
 * - No request begins while an earlier answer is unsent.
 * - Answers are sent one after the other.
 */
export class LargeAnswers {
  readonly #most: number;
  /** Number of requests that have begun and have no answer yet. */
  #open = 0;
  /** Number of answers that are ready and not yet sent. */
  #unsent = 0;
  /** Settles when the last of the ready answers was sent. */
  #newest: Promise<void> | undefined;
  readonly #waiting = new Set<Waiting>();

  /** @param most number of requests at the same time */
  constructor(most: number) {
    this.#most = most;
  }

  /** Runs `work` in the order of the queue. Settles when the answer may be sent. A withdrawn request leaves the queue. */
  async run<T>(call: InboundCall, withdrawal: Withdrawal, work: () => T | Promise<T>): Promise<T> {
    if (this.#waiting.size === 0 && this.#hasPlace) this.#open += 1;
    else await this.#turn(withdrawal, true);
    let hasLeft: (() => void) | undefined;
    call.afterResponse((room) => this.#answered(room, hasLeft));
    const result = await work();
    const earlier = this.#newest;
    this.#unsent += 1;
    this.#newest = new Promise((resolve) => {
      hasLeft = resolve;
    });
    await earlier;
    return result;
  }

  /** Settles when every earlier request has begun. */
  async begun(withdrawal: Withdrawal): Promise<void> {
    if (this.#waiting.size > 0) await this.#turn(withdrawal, false);
  }

  get #hasPlace(): boolean {
    return this.#open < this.#most && this.#unsent === 0;
  }

  #turn({ signal }: Withdrawal, takesPlace: boolean): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal.aborted) return reject(RpcError.requestCancelled());
      const withdraw = () => {
        this.#waiting.delete(waiting);
        reject(RpcError.requestCancelled());
        this.#next();
      };
      const begin = () => {
        signal.removeEventListener("abort", withdraw);
        resolve();
      };
      const waiting = { takesPlace, begin };
      this.#waiting.add(waiting);
      signal.addEventListener("abort", withdraw, { once: true });
    });
  }

  #answered(room: Room, hasLeft: (() => void) | undefined): void {
    this.#open -= 1;
    const left = () => {
      if (hasLeft !== undefined) this.#unsent -= 1;
      hasLeft?.();
      this.#next();
    };
    if (room === undefined) left();
    else void room.then(left);
  }

  #next(): void {
    for (const waiting of this.#waiting) {
      if (waiting.takesPlace && !this.#hasPlace) return;
      if (waiting.takesPlace) this.#open += 1;
      this.#waiting.delete(waiting);
      waiting.begin();
    }
  }
}
