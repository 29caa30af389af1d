import type { Budget } from "./budget.js";

/**
 * The queue that tells user code about one session, in the order of the wire. Lanes do not wait for each other; what
 * waits in all lanes of a connection shares one budget.
 */
export interface Lane {
  /**
   * Runs `work` when everything before it is done, and is awaited before what follows: for listeners. It is told the
   * moment at which it begins; what only continues earlier work names that work's moment.
   */
  tell(bytes: number, work: (began: number) => void | Promise<void> | Continued): void;
  /** Starts `work` in its place; what follows does not wait for it: for request handlers. */
  begin(bytes: number, work: () => void): void;
  /** Settles when everything pushed before this call has finished, listeners that yielded included. */
  settled(): Promise<void>;
  /** Whether that is so at this moment. */
  readonly isSettled: boolean;
}

/** Work that cannot finish before earlier work has: it may be waiting for anything that was asked since that began. */
export type Continued = {
  readonly done: Promise<void>;
  readonly since: number;
  /** It is the body of a loop: closing the connection does not wait for it. */
  readonly isLoop?: boolean;
};

type Work = (began: number) => void | Promise<void> | Continued;
type Item = { readonly bytes: number; readonly work: Work; readonly holds: boolean };

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
  /** Counts the listeners of all lanes that were called and have not returned: what is called now is called by one. */
  readonly calls?: { listeners: number };
};

/** {@link Lane} as a connection makes it. */
export class SessionLane implements Lane {
  readonly #host: LaneHost;
  readonly #queue: (Item | undefined)[] = [];
  #head = 0;
  #starting = false;
  /** When the listener that holds the lane began, as a number of {@link LaneHost.issued}. */
  #heldSince: number | undefined;
  #holder: Promise<void> | undefined;
  #isInLoop = false;
  /**
   * Listeners that run on and hold nothing. The holder is not among them: a set that each message fills and empties
   * leaves 120 bytes of it in V8's old generation every time.
   */
  readonly #yielded = new Set<Promise<void>>();

  constructor(host: LaneHost) {
    this.#host = host;
  }

  tell(bytes: number, work: Work): void {
    this.#push(bytes, work, true);
  }

  begin(bytes: number, work: () => void): void {
    this.#push(bytes, work, false);
  }

  get isSettled(): boolean {
    return !this.#isBusy && this.#yielded.size === 0;
  }

  /** Whether the body of a loop holds the lane: it is the user's main line as often as not. */
  get isInLoop(): boolean {
    return this.#isInLoop;
  }

  settled(): Promise<void> {
    return new Promise((resolve) => {
      this.begin(0, () => {
        // It runs in its place, where nothing holds the lane.
        if (this.#yielded.size === 0) resolve();
        else void Promise.allSettled(this.#yielded).then(() => resolve());
      });
    });
  }

  /** Lets the next item start if the listener that holds the lane must yield. */
  reconsider(): void {
    if (this.#holder === undefined || this.#heldSince === undefined || !this.#host.mustYield(this.#heldSince)) return;
    this.#yielded.add(this.#holder);
    this.#letGo();
  }

  #push(bytes: number, work: Work, holds: boolean): void {
    if (!this.#isBusy) {
      this.#start(work, holds);
      this.#drain();
      return;
    }
    this.#queue.push({ bytes, work, holds });
    this.#host.budget.take(bytes);
  }

  get #isBusy(): boolean {
    return this.#heldSince !== undefined || this.#starting || this.#head < this.#queue.length;
  }

  #drain(): void {
    while (this.#heldSince === undefined && !this.#starting && this.#head < this.#queue.length) {
      const item = this.#queue[this.#head] as Item;
      this.#queue[this.#head] = undefined;
      this.#head += 1;
      if (this.#head === this.#queue.length || this.#head > 1024) {
        this.#queue.splice(0, this.#head);
        this.#head = 0;
      }
      this.#start(item.work, item.holds);
      this.#host.budget.give(item.bytes);
    }
  }

  #start(work: Work, holds: boolean): void {
    const began = this.#host.issued();
    const { calls } = this.#host;
    this.#starting = true;
    if (holds && calls !== undefined) calls.listeners += 1;
    try {
      const pending = work(began);
      if (holds && pending !== undefined) {
        this.#isInLoop = "since" in pending && pending.isLoop === true;
        if ("since" in pending) this.#hold(pending.done, Math.min(began, pending.since));
        else this.#hold(pending, began);
      }
    } catch (error) {
      this.#host.onError(error);
    }
    this.#starting = false;
    if (holds && calls !== undefined) calls.listeners -= 1;
  }

  #hold(pending: Promise<void>, began: number): void {
    if (this.#yielded.size === 0) this.#host.onBusy();
    // It may have asked before it returned here, when nobody could tell yet that it would hold the lane.
    if (this.#host.mustYield(began)) {
      this.#yielded.add(pending);
    } else {
      this.#heldSince = began;
      this.#holder = pending;
    }
    pending.then(
      () => this.#finished(pending),
      (error: unknown) => {
        this.#host.onError(error);
        this.#finished(pending);
      },
    );
  }

  #finished(pending: Promise<void>): void {
    if (this.#holder === pending) this.#letGo();
    else this.#yielded.delete(pending);
    if (this.#holder === undefined && this.#yielded.size === 0) this.#host.onIdle();
  }

  #letGo(): void {
    this.#heldSince = undefined;
    this.#holder = undefined;
    this.#drain();
  }
}
