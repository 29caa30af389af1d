import { type InboundCall, RpcError } from "@turnkit/transport";

/** Bounds of calls that wait for earlier calls of their session, over all sessions of a connection. */
export type CallLimits = {
  /** Calls; 1 000 unless said otherwise. One more is refused with `-32603`. */
  readonly waitingCalls: number;
  /** Their bytes on the wire; 64 MiB unless said otherwise. What would exceed them is refused with `-32603`. */
  readonly waitingCallBytes: number;
};

/** Counts the calls of one connection that wait. It refuses when it is full, and never stops reading. */
export class CallStore {
  readonly #limits: CallLimits;
  #calls = 0;
  #bytes = 0;

  constructor({ waitingCalls = 1_000, waitingCallBytes = 64 * 1024 * 1024 }: Partial<CallLimits>) {
    this.#limits = { waitingCalls, waitingCallBytes };
  }

  /**
   * Makes room for a call. The returned function gives it back, once.
   *
   * @throws RpcError `-32603` where there is none
   */
  take(bytes: number): () => void {
    const { waitingCalls, waitingCallBytes } = this.#limits;
    if (this.#calls >= waitingCalls || this.#bytes + bytes > waitingCallBytes) {
      throw RpcError.internalError(
        "too many calls wait for earlier calls of their sessions; try again after an answer",
      );
    }
    this.#calls += 1;
    this.#bytes += bytes;
    let isTaken = true;
    return () => {
      if (!isTaken) return;
      isTaken = false;
      this.#calls -= 1;
      this.#bytes -= bytes;
    };
  }
}

type Call = Pick<InboundCall, "bytes" | "afterResponse">;

/** The calls of a client about one session: each starts when those received before it are done. */
export class CallOrder {
  readonly #store: CallStore;
  // Made when they are needed: there may be thousands of sessions, and few of them make calls wait.
  #waiting: (() => Promise<void> | void)[] | undefined;
  #unanswered: Set<() => void> | undefined;
  #isBusy = false;
  #isAbandoned = false;

  constructor(store: CallStore) {
    this.#store = store;
  }

  /**
   * Runs `work` after what was received before it; what is received after it waits until `call` was answered. `leave`
   * gives back room that was made by {@link enter} already.
   *
   * @throws RpcError `-32603` where it would have to wait and too much waits already
   */
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

  /** Starts `work` after what was received before; what is received after it waits for the promise, if there is one. */
  start(work: () => Promise<void> | void): void {
    if (this.#isBusy) {
      this.#waiting ??= [];
      this.#waiting.push(work);
    } else {
      this.#run(work);
      this.#next();
    }
  }

  /**
   * Makes room for a call that has to wait, for this order or because it `waits` for something else. The returned
   * function gives the room back.
   *
   * @throws RpcError `-32603` where there is none
   */
  enter(bytes: number, waits = false): () => void {
    return waits || this.#isBusy ? this.#store.take(bytes) : nothing;
  }

  /** The connection is gone: nobody is answered any more, and nothing waits for that. */
  abandon(): void {
    this.#isAbandoned = true;
    for (const release of this.#unanswered ?? []) release();
  }

  #next(): void {
    while (!this.#isBusy) {
      const work = this.#waiting?.shift();
      if (work === undefined) return;
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
