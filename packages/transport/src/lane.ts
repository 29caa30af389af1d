import type { Budget } from "./budget.js";
import { Fifo } from "./waiting.js";

/**
 * The queue of user code for one session. Items start in the order of the wire. Lanes do not wait for each other. The
 * waiting items of all lanes of a connection share one budget.
 */
export interface Lane {
  /**
   * Runs a listener after the items before it are done. Later items wait for it, except in the two cases of
   * {@link Connection.openLane}. `work` gets the moment of its start.
   */
  tell(bytes: number, work: (began: number) => void | Promise<void> | Continued): void;
  /** Starts a request handler in its place. Later items do not wait for it. */
  begin(bytes: number, work: () => void): void;
  /** Runs `work` in its place. Later items do not wait for it, and no listener is passed for it. */
  mark(work: () => void): void;
  /** Returns the present moment, for {@link settled}. */
  now(): number;
  /**
   * Settles when all items pushed before this call have finished, passed listeners included. It does not wait for
   * listeners that began before the moment `after`: such a listener is passed if it has not finished for 2 to 4 s. After
   * the connection closed it waits for no listener longer than 5 s.
   */
  settled(after?: number): Promise<void>;
  /** True if no item waits or runs at this moment. */
  readonly isSettled: boolean;
  /** The listener that has been running for the longest time, for a report. */
  readonly oldest: Continued | undefined;
}

/** A running listener. It may wait for requests issued after `since`: its own start, or that of the work it continues. */
export type Continued = {
  readonly done: Promise<void>;
  readonly since: number;
  /** The listener and the event that it handles, for a report. */
  readonly by?: { readonly name: string } | undefined;
  readonly on?: { readonly type: string } | undefined;
};

type Work = (began: number) => void | Promise<void> | Continued;
type Kind = "listener" | "handler" | "mark";

/** A waiting item. `after` is set for a timed mark, that of `settled`: it waits for no listener from before that moment. */
type Item = { readonly kind: Kind; readonly bytes: number; readonly work: Work; readonly after?: number };

/** A listener that has not finished. */
type Running = Continued & { readonly bytes: number; checks: number };

/** The part of a connection that its lanes share. */
export type LaneHost = {
  /** Counts waiting items. */
  readonly budget: Budget;
  /** Counts listeners that started while an earlier listener of their lane was running. */
  readonly overlap: Budget;
  /** Returns the number of the newest request or send. A listener that began at `n` can only wait for later ones. */
  issued(): number;
  /** Returns true if running listeners may be passed. `isUrgent`: a handler, or a timed mark, waits to pass them. */
  mayPass(oldest: { readonly since: number; readonly isStuck: boolean }, isUrgent: boolean): boolean;
  onError(error: unknown): void;
  /** Called when a handler or a timed mark begins to wait behind a listener (`1`), and when it starts (`-1`). */
  onWait(change: 1 | -1): void;
  /** Called at the second check at which reading, a handler or a timed mark waits for a listener. */
  onStuck(listener: Continued, sessionId: string | undefined): void;
  /** Called when an asynchronous listener began. `onIdle` follows when no listener runs and no item waits. */
  onBusy(lane: SessionLane): void;
  onIdle(lane: SessionLane): void;
};

/** The {@link Lane} of a connection. */
export class SessionLane implements Lane {
  readonly sessionId: string | undefined;
  oldest: Running | undefined;
  readonly #host: LaneHost;
  /** Waiting items. Made for the first: most items of most sessions need not wait. */
  #queue: Fifo<Item> | undefined;
  /** Number of handlers in the queue. */
  #handlers = 0;
  /** Number of timed marks in the queue. */
  #timedMarks = 0;
  /** Newest `after` of the marks in the queue. */
  #newestMark = -1;
  #isStarting = false;
  /**
   * Listeners that started while the oldest ran. It is not one of them: a set that every message fills and empties would
   * leave 120 bytes in V8's old generation each time.
   */
  readonly #others = new Set<Running>();
  /** Ends of {@link settled} that wait for running listeners. */
  #waiting: Set<() => void> | undefined;
  #isGivenUp = false;

  constructor(host: LaneHost, sessionId?: string) {
    this.#host = host;
    this.sessionId = sessionId;
  }

  tell(bytes: number, work: Work): void {
    this.#push("listener", bytes, work);
  }

  begin(bytes: number, work: () => void): void {
    this.#push("handler", bytes, work);
  }

  mark(work: () => void): void {
    this.#push("mark", 0, work);
  }

  get isSettled(): boolean {
    return this.oldest === undefined && !this.#isStarting && !this.#queue?.length;
  }

  now(): number {
    return this.#host.issued();
  }

  settled(after = 0): Promise<void> {
    return new Promise((resolve) => {
      const work = () => {
        if (this.oldest === undefined) return resolve();
        this.#waiting ??= new Set();
        this.#waiting.add(resolve);
        void this.runningNow(after).then(() => {
          this.#waiting?.delete(resolve);
          resolve();
        });
      };
      this.#push("mark", 0, work, after);
    });
  }

  /** Settles when the listeners that run at this moment, and began at the moment `after` or later, have finished. */
  async runningNow(after = 0): Promise<void> {
    const running = [...(this.oldest === undefined ? [] : [this.oldest]), ...this.#others];
    await Promise.allSettled(running.filter(({ since }) => since >= after).map(({ done }) => done));
  }

  /** Starts all waiting items, and waits for no listener any more. */
  giveUp(): void {
    this.#isGivenUp = true;
    this.oldest = undefined;
    this.#others.clear();
    for (const resolve of this.#waiting ?? []) resolve();
    this.#waiting = undefined;
    this.reconsider();
  }

  /** Counts a check at which the oldest listener holds something up. At the second, it is stuck. `isFull`: reading has stopped. */
  check(isFull: boolean): void {
    const oldest = this.oldest;
    if (oldest === undefined || !(isFull || this.#handlers > 0 || oldest.since < this.#newestMark)) return;
    oldest.checks += 1;
    if (oldest.checks !== STUCK_CHECKS) return;
    this.#host.onStuck(oldest, this.sessionId);
    this.reconsider();
  }

  #push(kind: Kind, bytes: number, work: Work, after?: number): void {
    if (this.isSettled) {
      this.#start(kind, bytes, work);
    } else {
      this.#queue ??= new Fifo();
      this.#queue.push(after === undefined ? { kind, bytes, work } : { kind, bytes, work, after });
      if (after !== undefined) this.#newestMark = Math.max(this.#newestMark, after);
      if (kind === "handler" || after !== undefined) this.#countWait(kind, 1);
      this.#host.budget.take(bytes);
    }
    this.reconsider();
  }

  /** Starts the waiting items that may start. */
  reconsider(): void {
    while (this.#queue?.length && !this.#isStarting && this.#mayStart) {
      const item = this.#queue.shift() as Item;
      if (item.kind === "handler" || item.after !== undefined) this.#countWait(item.kind, -1);
      this.#start(item.kind, item.bytes, item.work);
      this.#host.budget.give(item.bytes);
    }
  }

  get #mayStart(): boolean {
    const oldest = this.oldest;
    if (oldest === undefined) return true;
    const isStuck = oldest.checks >= STUCK_CHECKS;
    const isUrgent = this.#handlers > 0 || (isStuck && oldest.since < this.#newestMark);
    return this.#host.mayPass({ since: oldest.since, isStuck }, isUrgent);
  }

  #countWait(kind: Kind, change: 1 | -1): void {
    if (kind === "handler") this.#handlers += change;
    else this.#timedMarks += change;
    // Later events wait for a passed listener again.
    if (this.#timedMarks === 0) this.#newestMark = -1;
    this.#host.onWait(change);
  }

  #start(kind: Kind, bytes: number, work: Work): void {
    const began = this.#host.issued();
    this.#isStarting = true;
    try {
      const pending = work(began);
      if (kind === "listener" && pending !== undefined) this.#run(pending, began, bytes);
    } catch (error) {
      this.#host.onError(error);
    }
    this.#isStarting = false;
  }

  #run(pending: Promise<void> | Continued, began: number, bytes: number): void {
    const { done, since, by, on }: Continued = "since" in pending ? pending : { done: pending, since: began };
    const running: Running = { done, since: Math.min(began, since), by, on, bytes, checks: 0 };
    if (this.#isGivenUp) {
      // It is not waited for.
    } else if (this.oldest === undefined) {
      this.oldest = running;
      this.#host.onBusy(this);
    } else {
      this.#others.add(running);
      this.#host.overlap.take(bytes);
    }
    running.done.then(
      () => this.#finished(running),
      (error: unknown) => {
        this.#host.onError(error);
        this.#finished(running);
      },
    );
  }

  #finished(running: Running): void {
    if (this.#isGivenUp) return;
    // The others lose one listener: the finished one, or the one that is the oldest from now on.
    let removed: Running | undefined = running;
    if (running === this.oldest) {
      removed = this.#others.values().next().value;
      this.oldest = removed;
    }
    if (removed !== undefined) {
      this.#others.delete(removed);
      this.#host.overlap.give(removed.bytes);
    }
    this.reconsider();
    if (this.oldest === undefined) this.#host.onIdle(this);
  }
}

/** Checks, not always in a row, at which a listener holds something up before it counts as stuck. */
const STUCK_CHECKS = 2;
