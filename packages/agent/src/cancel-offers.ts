import { RpcError } from "@turnkit/transport";

/** Kinds of work that the user can cancel alone. */
export type Cancellable = "tool_call" | "terminal";

/** Most offers of one session. Beyond it the oldest is withdrawn, since an agent may never end its work. */
const MAX_OFFERS = 1_000;

// V2-TOOL-10, V2-TERM-11
/** Tool calls and terminals of a session that the user can cancel alone. */
export class CancelOffers {
  readonly #offers = new Map<string, () => void>();

  offer(type: Cancellable, id: string, onCancel: () => void): void {
    this.#offers.set(key(type, id), onCancel);
    const [oldest] = this.#offers.size > MAX_OFFERS ? this.#offers.keys() : [];
    if (oldest !== undefined) this.#offers.delete(oldest);
  }

  has(type: Cancellable, id: string): boolean {
    return this.#offers.has(key(type, id));
  }

  /** Removes the offer of work that ended. Returns true if there was one. */
  withdraw(type: Cancellable, id: string): boolean {
    return this.#offers.delete(key(type, id));
  }

  /**
   * Calls the `onCancel` of an offer. A repeated call does nothing.
   *
   * @throws RpcError `-32602` for an id without an offer
   */
  take(type: Cancellable, id: string): void {
    // V2-TOOL-13, V2-TERM-12
    const onCancel = this.#offers.get(key(type, id));
    if (onCancel === undefined) {
      const name = type === "tool_call" ? { toolCallId: id } : { terminalId: id };
      throw RpcError.invalidParams(`there is nothing to cancel of ${id}`, name);
    }
    // The offer stays, so that a repeated cancel succeeds.
    this.offer(type, id, () => undefined);
    onCancel();
  }
}

const key = (type: Cancellable, id: string): string => `${type}:${id}`;
