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

  constructor(limits: BudgetLimits, onChange: (full: boolean) => void) {
    this.#limits = limits;
    this.#onChange = onChange;
  }

  get full(): boolean {
    return this.#full;
  }

  take(bytes: number): void {
    this.#messages += 1;
    this.#bytes += bytes;
    if (this.#full) return;
    if (this.#messages < this.#limits.waitingMessages && this.#bytes < this.#limits.waitingBytes) return;
    this.#full = true;
    this.#onChange(true);
  }

  give(bytes: number): void {
    this.#messages -= 1;
    this.#bytes -= bytes;
    if (!this.#full) return;
    const { waitingMessages, waitingBytes } = this.#limits;
    if (this.#messages > waitingMessages / 2 || this.#bytes > waitingBytes / 2) return;
    this.#full = false;
    this.#onChange(false);
  }
}
