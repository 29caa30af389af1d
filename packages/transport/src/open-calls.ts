/**
 * Numbers requests and sends in the order of their issue and tells whether one issued after a moment is still open.
 * Amortised constant time: finished numbers are dropped from the top when somebody asks.
 */
export class OpenCalls {
  #issued = 0;
  readonly #order: number[] = [];
  readonly #open = new Set<number>();

  /** Number of the newest call. */
  get issued(): number {
    return this.#issued;
  }

  open(): number {
    this.#issued += 1;
    this.#order.push(this.#issued);
    this.#open.add(this.#issued);
    return this.#issued;
  }

  close(number: number): void {
    this.#open.delete(number);
    if (this.#open.size === 0) this.#order.length = 0;
    else this.#dropClosed();
  }

  anyAfter(moment: number): boolean {
    this.#dropClosed();
    const newest = this.#order.at(-1);
    return newest !== undefined && newest > moment;
  }

  #dropClosed(): void {
    for (
      let newest = this.#order.at(-1);
      newest !== undefined && !this.#open.has(newest);
      newest = this.#order.at(-1)
    ) {
      this.#order.pop();
    }
  }
}
