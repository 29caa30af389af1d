import type { Budget } from "./budget.js";

/**
 * The queue that tells user code about one session, in the order of the wire. Lanes do not wait for each other; what
 * waits in all lanes of a connection shares one budget.
 */
export interface Lane {
  /** Runs `work` when everything before it is done, and is awaited before what follows: for listeners. */
  tell(bytes: number, work: () => void | Promise<void>): void;
  /** Starts `work` in its place; what follows does not wait for it: for request handlers. */
  begin(bytes: number, work: () => void): void;
  /** Settles when everything pushed before this call has finished, listeners that yielded included. */
  settled(): Promise<void>;
}

type Item = { readonly bytes: number; readonly work: () => void | Promise<void>; readonly holds: boolean };

/** What the lanes of one connection have in common. */
export type LaneHost = {
  readonly budget: Budget;
  /** Number of the newest request or send; a listener that began at `n` may only wait for later ones. */
  issued(): number;
  /** Whether nobody reads and a listener that began at `began` may be waiting for what reading would bring. */
  mustYield(began: number): boolean;
  onError(error: unknown): void;
  /** A listener that takes its time began; `onIdle` follows when none runs and nothing waits. */
  onBusy(): void;
  onIdle(): void;
};

/** {@link Lane} as a connection makes it. */
export class SessionLane implements Lane {
  readonly #host: LaneHost;
  #queue: (Item | undefined)[] = [];
  #head = 0;
  #starting = false;
  /** When the listener that holds the lane began, as a number of {@link LaneHost.issued}. */
  #heldSince: number | undefined;
  #holder: object | undefined;
  readonly #unfinished = new Set<Promise<void>>();

  constructor(host: LaneHost) {
    this.#host = host;
  }

  tell(bytes: number, work: () => void | Promise<void>): void {
    this.#push(bytes, work, true);
  }

  begin(bytes: number, work: () => void): void {
    this.#push(bytes, work, false);
  }

  settled(): Promise<void> {
    return new Promise((resolve) => {
      this.begin(0, () => {
        if (this.#unfinished.size === 0) resolve();
        else void Promise.all(this.#unfinished).then(() => resolve());
      });
    });
  }

  /** Lets the next item start if the listener that holds the lane must yield. */
  reconsider(): void {
    if (this.#heldSince !== undefined && this.#host.mustYield(this.#heldSince)) this.#letGo();
  }

  #push(bytes: number, work: () => void | Promise<void>, holds: boolean): void {
    if (this.#heldSince === undefined && !this.#starting && this.#head === this.#queue.length) {
      this.#start(work, holds);
      this.#drain();
      return;
    }
    this.#queue.push({ bytes, work, holds });
    this.#host.budget.take(bytes);
  }

  #drain(): void {
    while (this.#heldSince === undefined && !this.#starting && this.#head < this.#queue.length) {
      const item = this.#queue[this.#head] as Item;
      this.#queue[this.#head] = undefined;
      this.#head += 1;
      if (this.#head === this.#queue.length || this.#head > 1024) {
        this.#queue = this.#queue.slice(this.#head);
        this.#head = 0;
      }
      this.#start(item.work, item.holds);
      this.#host.budget.give(item.bytes);
    }
  }

  #start(work: () => void | Promise<void>, holds: boolean): void {
    const began = this.#host.issued();
    this.#starting = true;
    try {
      const pending = work();
      if (holds && pending !== undefined) this.#hold(pending, began);
    } catch (error) {
      this.#host.onError(error);
    }
    this.#starting = false;
  }

  #hold(pending: Promise<void>, began: number): void {
    const holder = {};
    // It may have asked before it returned here, when nobody could tell yet that it would hold the lane.
    if (!this.#host.mustYield(began)) {
      this.#heldSince = began;
      this.#holder = holder;
    }
    const finished = Promise.resolve(pending)
      .catch((error: unknown) => this.#host.onError(error))
      .then(() => {
        this.#unfinished.delete(finished);
        if (this.#holder === holder) this.#letGo();
        if (this.#unfinished.size === 0) this.#host.onIdle();
      });
    this.#unfinished.add(finished);
    if (this.#unfinished.size === 1) this.#host.onBusy();
  }

  #letGo(): void {
    this.#heldSince = undefined;
    this.#holder = undefined;
    this.#drain();
  }
}
