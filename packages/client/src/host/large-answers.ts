import { type InboundCall, type Room, RpcError } from "@turnkit/transport";

/** Source of the signal that withdraws a request. It is read only if the request has to wait. */
type Withdrawal = { readonly signal: AbortSignal };

type Waiting = { readonly takesPlace: boolean; readonly begin: () => void };

/**
 * Requests of one connection whose answers are large. They begin in order, a few at a time, and none begins while an
 * earlier answer is unsent. Answers are sent one by one. So memory holds a few answers, whatever the number of
 * open requests.
 */
export class LargeAnswers {
  readonly #most: number;
  /** Requests that have begun and are not answered. */
  #open = 0;
  /** Answers that are ready, and sent answers that still wait for room in the channel. */
  #unsent = 0;
  /** Settles when the newest answer was sent. */
  #newest: Promise<void> | undefined;
  readonly #waiting = new Set<Waiting>();

  /** @param most requests at once */
  constructor(most: number) {
    this.#most = most;
  }

  /** Runs `work` in its turn, and settles when its answer may be sent. A withdrawn request leaves the queue. */
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

  /** Settles when every request before it has begun. */
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
