/** Bounds of the items that wait in all lanes of a connection. */
export type BudgetLimits = {
  /**
   * Maximum number of messages.
   *
   * @defaultValue 1 000
   */
  readonly waitingMessages: number;
  /**
   * Maximum number of bytes on the wire. A single message may be larger.
   *
   * @defaultValue 4 MiB
   */
  readonly waitingBytes: number;
};

/**
 * A count of items with a bound. The budget becomes full at the bound. It stays full until the count falls to half of
 * the limits. Otherwise, a slow listener would stop and restart reading for every message.
 */
export class Budget {
  readonly #limits: BudgetLimits;
  readonly #onChange: (full: boolean) => void;
  #messages = 0;
  #bytes = 0;
  #full = false;
  #times = 1;

  constructor(limits: BudgetLimits, onChange: (full: boolean) => void) {
    this.#limits = limits;
    this.#onChange = onChange;
  }

  /**
   * Raises the bound by its initial value, to at most `most` times this value. When the count is zero, the bound is the
   * initial value again.
   */
  widen(most: number): void {
    if (this.#times >= most) return;
    this.#times += 1;
    if (this.#isOver) return;
    this.#full = false;
    this.#onChange(false);
  }

  get full(): boolean {
    return this.#full;
  }

  take(bytes: number): void {
    this.#messages += 1;
    this.#bytes += bytes;
    if (this.#full || !this.#isOver) return;
    this.#full = true;
    this.#onChange(true);
  }

  give(bytes: number): void {
    this.#messages -= 1;
    this.#bytes -= bytes;
    if (this.#messages === 0) this.#times = 1;
    if (!this.#full) return;
    const { waitingMessages, waitingBytes } = this.#limits;
    if (this.#messages > waitingMessages / 2 || this.#bytes > waitingBytes / 2) return;
    this.#full = false;
    this.#onChange(false);
  }

  get #isOver(): boolean {
    const { waitingMessages, waitingBytes } = this.#limits;
    return this.#messages >= waitingMessages * this.#times || this.#bytes >= waitingBytes * this.#times;
  }
}
