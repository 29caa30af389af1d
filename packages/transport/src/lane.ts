import type { Budget } from "./budget.js";
import { Fifo } from "./waiting.js";

/**
 * The queue of user code for one session. Items start in wire order. Lanes do not wait for each other. All waiting
 * items of a connection share one budget.
 */
export interface Lane {
  /**
   * Runs a listener when the items before it have finished. Later items wait for this listener. `work` receives the
   * moment of its start. {@link Connection.openLane} describes two exceptions.
   */
  notify(bytes: number, work: (began: number) => void | Promise<void> | Continued): void;
  /** Starts a request handler when the items before it have finished. Later items do not wait for the handler. */
  begin(bytes: number, work: () => void): void;
  /** Runs `work` when the listeners before it have finished or may be passed. Later items do not wait for `work`. */
  mark(work: () => void): void;
  /** Returns the present moment, as a value for {@link settled}. A moment is the number of the newest call. */
  now(): number;
  /**
   * Settles when all items that were added before this call have finished. For a listener that began before the moment
   * `after`, the wait ends after 2 to 4 s. After the connection has closed, the wait ends after 5 s for every listener.
   */
  settled(after?: number): Promise<void>;
  /** `true` if no item waits or runs at this moment. */
  readonly isSettled: boolean;
  /** Listener that has been running for the longest time, for reports. */
  readonly oldest: Continued | undefined;
}

/** A running listener. The listener may wait for requests that were sent after `since`, the moment of its start. */
export type Continued = {
  readonly done: Promise<void>;
  readonly since: number;
  /** The listener, and the event that it handles, for reports. */
  readonly by?: { readonly name: string } | undefined;
  readonly on?: { readonly type: string } | undefined;
};

type Work = (began: number) => void | Promise<void> | Continued;
type Kind = "listener" | "handler" | "mark";

/**
 * Waiting item. `settled` adds a timed mark, which has an `after`. A timed mark need not wait for listeners that began
 * before `after`.
 */
type Item = { readonly kind: Kind; readonly bytes: number; readonly work: Work; readonly after?: number };

/** Listener that has not finished. */
type Running = Continued & { readonly bytes: number; checks: number };

/** Members of a connection that all its lanes share. */
export type LaneHost = {
  /** Count of the waiting items. */
  readonly budget: Budget;
  /** Count of the listeners that started while an earlier listener of their lane was running. */
  readonly overlap: Budget;
  /**
   * Returns the number of the newest request or send. A listener that began at moment `n` can wait only for calls with
   * a higher number.
   */
  issued(): number;
  /**
   * Returns `true` if items may start while earlier listeners run. `isUrgent` is `true` if a handler or a timed mark
   * waits.
   */
  mayPass(oldest: { readonly since: number; readonly isStuck: boolean }, isUrgent: boolean): boolean;
  onError(error: unknown): void;
  /** Called with `1` when a handler or a timed mark begins to wait behind a listener, and with `-1` when it starts. */
  onWait(change: 1 | -1): void;
  /** Called when a listener is stuck. Reading, a handler or a timed mark then waited for it at two checks. */
  onStuck(listener: Continued, sessionId: string | undefined): void;
  /** Called when an asynchronous listener has begun. `onIdle` follows when no listener runs and no item waits. */
  onBusy(lane: SessionLane): void;
  onIdle(lane: SessionLane): void;
};

/** {@link Lane} of a connection. */
export class SessionLane implements Lane {
  readonly sessionId: string | undefined;
  oldest: Running | undefined;
  readonly #host: LaneHost;
  /** Waiting items. The queue is created when the first item has to wait, because most items do not wait. */
  #queue: Fifo<Item> | undefined;
  /** Number of handlers in the queue. */
  #handlers = 0;
  /** Number of timed marks in the queue. */
  #timedMarks = 0;
  /** Highest `after` of the marks in the queue. */
  #newestMark = -1;
  #isStarting = false;
  /**
   * Listeners that started while the oldest listener was running. The oldest listener is not in this set, because each
   * addition and removal leaves 120 bytes in V8's old generation.
   */
  readonly #others = new Set<Running>();
  /** Functions that settle the calls of {@link settled} which wait for running listeners. */
  #waiting: Set<() => void> | undefined;
  #isGivenUp = false;

  constructor(host: LaneHost, sessionId?: string) {
    this.#host = host;
    this.sessionId = sessionId;
  }

  notify(bytes: number, work: Work): void {
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

  /** Settles when all listeners have finished that run at this moment and began at the moment `after` or later. */
  async runningNow(after = 0): Promise<void> {
    const running = [...(this.oldest === undefined ? [] : [this.oldest]), ...this.#others];
    await Promise.allSettled(running.filter(({ since }) => since >= after).map(({ done }) => done));
  }

  /** Starts all waiting items. Running listeners are ignored from now on. */
  giveUp(): void {
    this.#isGivenUp = true;
    this.oldest = undefined;
    this.#others.clear();
    for (const resolve of this.#waiting ?? []) resolve();
    this.#waiting = undefined;
    this.reconsider();
  }

  /**
   * Checks whether something waits for the oldest listener. At the second such check, the listener counts as stuck.
   * `isFull` is `true` if reading has stopped.
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
    // Without a timed mark, later items have to wait for the listener again.
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
      // After `giveUp`, running listeners are ignored.
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
    // Either the finished listener leaves the set, or the listener that becomes the oldest.
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

/**
 * Number of checks at which something must wait for a listener before the listener counts as stuck. These checks need
 * not be consecutive.
 */
const STUCK_CHECKS = 2;
