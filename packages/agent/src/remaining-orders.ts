import type { CallOrder } from "./call-order.js";

/** Orders of calls for ids that have no session. An order is removed when all its calls are answered. */
export class RemainingOrders {
  readonly #byId = new Map<string, CallOrder>();

  get(sessionId: string): CallOrder | undefined {
    return this.#byId.get(sessionId);
  }

  /** Stores an order until its calls are answered, because a new restore of the id has to wait for these calls. */
  keep(sessionId: string, order: CallOrder): void {
    if (order.isIdle) return;
    this.#byId.set(sessionId, order);
    order.onIdle = () => this.#byId.delete(sessionId);
  }

  /** Stops waiting for answers, after the end of the connection. Settles when all calls are done. */
  async abandon(): Promise<void> {
    await Promise.all([...this.#byId.values()].map((order) => order.abandon()));
  }
}
