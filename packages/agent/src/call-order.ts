import type { InboundCall } from "@turnkit/transport";
import { Quota } from "./quota.js";

/** Bounds of the waiting calls of one connection. A call waits until the earlier calls of its session are done. */
export type CallLimits = {
  /**
   * Maximum number of waiting calls. A further call is refused with `-32603`.
   *
   * @defaultValue 1_000
   */
  readonly waitingCalls: number;
  /**
   * Maximum size of all waiting calls on the wire, in bytes. A call that would exceed the maximum is refused with `-32603`.
   *
   * @defaultValue 64 MiB
   */
  readonly waitingCallBytes: number;
};

const MOST_BYTES = 64 * 1024 * 1024;

/** Returns the room for the waiting calls of one connection. Without room, a call is refused, and reading continues. */
export function createCallQuota({ waitingCalls = 1_000, waitingCallBytes = MOST_BYTES }: Partial<CallLimits>): Quota {
  const refusal = "too many calls wait for earlier calls of their sessions; try again after an answer";
  return new Quota({ count: waitingCalls, bytes: waitingCallBytes }, refusal);
}

type Call = Pick<InboundCall, "bytes" | "afterResponse">;

/** Order of a client's calls about one session. Each call starts when all earlier calls are done. */
export class CallOrder {
  readonly #quota: Quota;
  // Created on the first use, because a connection may have thousands of sessions, and few sessions have waiting calls.
  #waiting: Set<() => Promise<void> | void> | undefined;
  #unanswered: Set<() => void> | undefined;
  #isBusy = false;
  #isAbandoned = false;
  /** Called each time the last call is done. */
  onIdle: (() => void) | undefined;

  constructor(quota: Quota) {
    this.#quota = quota;
  }

  /**
   * Runs `work` after all earlier calls. Later calls wait until `call` is answered.
   *
   * @param leave frees the room that {@link enter} took
   * @throws RpcError `-32603` if the call would have to wait and there is no room
   */
  // `async` turns a refusal of `enter` into a rejection.
  async run<T>(call: Call, work: () => Promise<T>, leave = this.enter(call.bytes)): Promise<T> {
    return new Promise((resolve, reject) => {
      this.start(async () => {
        leave();
        const answered = this.#answerTo(call);
        await work().then(resolve, reject);
        await answered;
      });
    });
  }

  /**
   * Starts `work` after all earlier calls. If `work` returns a promise, later calls wait for that promise. The returned
   * function drops work that has not started, and frees the room of the work.
   */
  start(work: () => Promise<void> | void): () => void {
    if (!this.#isBusy) {
      this.#run(work);
      this.#next();
      return nothing;
    }
    this.#waiting ??= new Set();
    const waiting = this.#waiting.add(work);
    return () => void waiting.delete(work);
  }

  /**
   * Takes room for a call that has to wait. The returned function frees the room. A call that need not wait takes no room.
   *
   * @param waits true if the call has to wait for a reason besides this order
   * @throws RpcError `-32603` if there is no room
   */
  enter(bytes: number, waits = false): () => void {
    return waits || this.#isBusy ? this.#quota.take(bytes) : nothing;
  }

  get isIdle(): boolean {
    return !this.#isBusy;
  }

  /** Stops waiting for answers, after the end of the connection. Settles when all calls are done. */
  abandon(): Promise<void> {
    this.#isAbandoned = true;
    for (const release of this.#unanswered ?? []) release();
    return new Promise((resolve) => this.start(resolve));
  }

  #next(): void {
    while (!this.#isBusy) {
      const work = this.#waiting?.values().next().value;
      if (work === undefined) return this.onIdle?.();
      this.#waiting?.delete(work);
      this.#run(work);
    }
  }

  #run(work: () => Promise<void> | void): void {
    let isWaiting = false;
    this.#isBusy = true;
    try {
      const done = work();
      isWaiting = done !== undefined;
      void done?.then(() => this.#goOn());
    } finally {
      this.#isBusy = isWaiting;
    }
  }

  #goOn(): void {
    this.#isBusy = false;
    this.#next();
  }

  #answerTo(call: Call): Promise<void> {
    if (this.#isAbandoned) return Promise.resolve();
    this.#unanswered ??= new Set();
    const unanswered = this.#unanswered;
    return new Promise((resolve) => {
      unanswered.add(resolve);
      call.afterResponse(() => {
        unanswered.delete(resolve);
        resolve();
      });
    });
  }
}

const nothing = (): void => undefined;
