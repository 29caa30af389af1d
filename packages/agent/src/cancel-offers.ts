import { RpcError } from "@turnkit/transport";

/** What can be cancelled by itself. */
export type Cancellable = "tool_call" | "terminal";

/** Offers of one session; beyond it the oldest is withdrawn: an agent need not end what it began. */
const MAX_OFFERS = 1_000;

/** The tool calls and terminals of a session that offer to be cancelled by themselves (V2-TOOL-10, V2-TERM-11). */
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

  /** It came to its end. Tells whether there was an offer. */
  withdraw(type: Cancellable, id: string): boolean {
    return this.#offers.delete(key(type, id));
  }

  /**
   * The user cancels it; a repetition changes nothing.
   *
   * @throws RpcError `-32602` for what is unknown, ended or never offered it (V2-TOOL-13, V2-TERM-12)
   */
  take(type: Cancellable, id: string): void {
    const onCancel = this.#offers.get(key(type, id));
    if (onCancel === undefined) {
      const name = type === "tool_call" ? { toolCallId: id } : { terminalId: id };
      throw RpcError.invalidParams(`there is nothing to cancel of ${id}`, name);
    }
    // It stays an offer, of which nobody hears again.
    this.offer(type, id, () => undefined);
    onCancel();
  }
}

const key = (type: Cancellable, id: string): string => `${type}:${id}`;
