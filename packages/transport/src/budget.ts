/** Bounds of what may wait to be told to user code, over all sessions of a connection. */
export type BudgetLimits = {
  /** Messages; 1 000 unless said otherwise. */
  readonly waitingMessages: number;
  /** Bytes on the wire; 4 MiB unless said otherwise. A single larger message passes alone. */
  readonly waitingBytes: number;
};

/**
 * Counts what waits in the lanes of one connection. At its bound reading stops; below half of it reading goes on, so
 * that a slow listener does not make the pipe stutter message by message.
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

  /** Adds the limits once more, up to `most` times. They are what they were as soon as nothing waits. */
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
