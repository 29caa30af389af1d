import type { InboundCall, Lane } from "@turnkit/transport";

/** The calls of a client about one session, in the order of their receipt. */
export class CallOrder {
  readonly #lane: Lane;
  #unanswered: Set<() => void> | undefined;
  #abandoned = false;

  constructor(lane: Lane) {
    this.#lane = lane;
  }

  /** Runs `work` after what was received before it; what is received after it waits until `call` was answered. */
  run<T>(call: Pick<InboundCall, "bytes" | "afterResponse">, work: () => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      this.#lane.tell(call.bytes, async () => {
        const answered = this.#answerTo(call);
        await work().then(resolve, reject);
        await answered;
      });
    });
  }

  /** Runs `work`, which does not fail, after what was received before. */
  runLast(work: () => Promise<void>): Promise<void> {
    return new Promise((resolve) => {
      this.#lane.tell(0, () => work().then(resolve));
    });
  }

  /** Starts `work` after what was received before; nothing waits for it. */
  start(bytes: number, work: () => void): void {
    this.#lane.begin(bytes, work);
  }

  /** The connection is gone: nobody is answered any more, and nothing waits for that. */
  abandon(): void {
    this.#abandoned = true;
    for (const release of this.#unanswered ?? []) release();
  }

  #answerTo(call: Pick<InboundCall, "afterResponse">): Promise<void> {
    if (this.#abandoned) return Promise.resolve();
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
