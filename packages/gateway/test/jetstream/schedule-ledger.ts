/**
 * Knowledge about the events of a session: which ones were acknowledged, and in which order. An event is the number of its
 * ownership, and its own number.
 */
export class Ledger {
  readonly problems: string[] = [];
  acknowledged = 0;
  #required: string[] = [];
  #ownerships = 0;
  #isMade = false;
  /** Number of the last ownership before the last deletion. */
  #forgotten = 0;

  /** Begins an ownership, and returns its number. */
  opened(): number {
    this.#isMade = true;
    this.#ownerships += 1;
    return this.#ownerships;
  }

  get last(): number {
    return this.#ownerships;
  }

  acknowledge(events: readonly string[]): void {
    this.acknowledged += events.length;
    this.#required.push(...events);
  }

  /** Forgets all ownerships so far, because the session was deleted, or perhaps deleted. */
  deleted(): void {
    this.#required = [];
    this.#isMade = false;
    this.#forgotten = this.#ownerships;
  }

  /** Returns what a read that begins now has to contain. */
  expected(): readonly string[] {
    return [...this.#required];
  }

  get isMade(): boolean {
    return this.#isMade;
  }

  /** Checks what a read has returned. `expected` was taken before it began. */
  check(read: readonly string[], expected: readonly string[]): void {
    const found = new Set(read);
    if (found.size < read.length) this.problems.push(`an event came twice: ${read.join(" ")}`);
    const lost = expected.filter((event) => !found.has(event) && ownershipOf(event) > this.#forgotten);
    if (lost.length > 0) this.problems.push(`lost: ${lost.join(" ")} of ${read.join(" ")}`);
    let before = "0.0";
    for (const event of read) {
      if (ownershipOf(event) === ownershipOf(before) && numberOf(event) < numberOf(before))
        this.problems.push(`${event} came after ${before}`);
      before = event;
    }
  }
}

const ownershipOf = (event: string): number => Number(event.split(".")[0]);
const numberOf = (event: string): number => Number(event.split(".")[1]);
