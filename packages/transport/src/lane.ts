import type { Budget } from "./budget.js";
import { Fifo } from "./waiting.js";

/**
 * The queue of user code for one session. Items start in the order of the wire. Lanes do not wait for each other. The
 * waiting items of all lanes of a connection share one budget.
 */
export interface Lane {
  /**
   * Runs a listener after the items before it have finished. Later items wait for it. `work` receives the moment of its
   * start. {@link Connection.openLane} describes two exceptions.
   */
  tell(bytes: number, work: (began: number) => void | Promise<void> | Continued): void;
  /** Starts a request handler in its place. Later items do not wait for it. */
  begin(bytes: number, work: () => void): void;
  /** Runs `work` in its place, always after the listeners before it. Later items do not wait for it. */
  mark(work: () => void): void;
  /** Returns the present moment, for {@link settled}. */
  now(): number;
  /**
   * Settles when all items pushed before this call have finished. Listeners that began before the moment `after` are
   * awaited for 2 to 4 s at most. After the connection closed, all listeners are awaited for 5 s at most.
   */
  settled(after?: number): Promise<void>;
  /** True if no item waits or runs at this moment. */
  readonly isSettled: boolean;
  /** The listener that has been running for the longest time, for a report. */
  readonly oldest: Continued | undefined;
}

/** A running listener. It may wait for requests issued after `since`, the start of its work. */
export type Continued = {
  readonly done: Promise<void>;
  readonly since: number;
  /** The listener and the event that it handles, for a report. */
  readonly by?: { readonly name: string } | undefined;
  readonly on?: { readonly type: string } | undefined;
};

type Work = (began: number) => void | Promise<void> | Continued;
type Kind = "listener" | "handler" | "mark";

/** A waiting item. A timed mark, made by `settled`, has `after`: it need not wait for listeners that began before. */
type Item = { readonly kind: Kind; readonly bytes: number; readonly work: Work; readonly after?: number };

/** A listener that has not finished. */
type Running = Continued & { readonly bytes: number; checks: number };

/** The part of a connection that its lanes share. */
export type LaneHost = {
  /** Counts waiting items. */
  readonly budget: Budget;
  /** Counts listeners that started beside an earlier one of their lane. */
  readonly overlap: Budget;
  /** Returns the number of the newest request or send. A listener that began at `n` can only wait for later ones. */
  issued(): number;
  /** Returns true if items may start beside running listeners. `isUrgent`: a handler or timed mark waits. */
  mayPass(oldest: { readonly since: number; readonly isStuck: boolean }, isUrgent: boolean): boolean;
  onError(error: unknown): void;
  /** Called when a handler or a timed mark begins to wait behind a listener (`1`), and when it starts (`-1`). */
  onWait(change: 1 | -1): void;
  /** Called when a listener is stuck: at two checks, reading, a handler or a timed mark waited for it. */
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
  /** Waiting items. Created when an item has to wait, which most items need not. */
  #queue: Fifo<Item> | undefined;
  /** Number of handlers in the queue. */
  #handlers = 0;
  /** Number of timed marks in the queue. */
  #timedMarks = 0;
  /** Newest `after` of the marks in the queue. */
  #newestMark = -1;
  #isStarting = false;
  /**
   * Listeners that started while the oldest was running. The oldest is not in this set: adding and removing it for
   * every message would leave 120 bytes in V8's old generation each time.
   */
  readonly #others = new Set<Running>();
  /** Calls of {@link settled} that wait for running listeners, as functions that end them. */
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

  /** Starts all waiting items, and ignores running listeners from now on. */
  giveUp(): void {
    this.#isGivenUp = true;
    this.oldest = undefined;
    this.#others.clear();
    for (const resolve of this.#waiting ?? []) resolve();
    this.#waiting = undefined;
    this.reconsider();
  }

  /**
   * Checks if something waits for the oldest listener. At the second such check the listener counts as stuck. `isFull`
   * is true if reading has stopped.
   */
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
    // Without a timed mark, later items wait for the listener again.
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
      // The lane ignores running listeners.
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
    // Remove from the others the finished listener, or the one that becomes the oldest.
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

/** Number of checks at which something waits for a listener until it counts as stuck. They need not be consecutive. */
const STUCK_CHECKS = 2;
