import { Budget } from "./budget.js";
import type { Channel } from "./channel.js";
import type { ConnectionLimits, Diagnostic } from "./connection.js";
import { textOf } from "./errors.js";
import { type Continued, type LaneHost, SessionLane } from "./lane.js";
import { withinGrace } from "./waiting.js";

/**
 * Bound of the listeners that run at the same time as earlier listeners, as a multiple of the budget of waiting
 * messages.
 */
const OVERLAP = 10;

/** Maximum growth of the bound of {@link OVERLAP}, as a multiple. While the bound delays items, it grows every 2 s. */
const MAX_OVERLAP = 10;

/**
 * Interval between checks of the lanes, in milliseconds. If other work waits for a listener at two successive checks,
 * the listener is stuck. So a stuck listener is found after 2 to 4 s.
 */
const CHECK_MS = 2_000;

/** Longest wait for running listeners after the connection has closed, in milliseconds. */
const LANE_GRACE_MS = 5_000;

/**
 * The lanes of one connection. All lanes share a budget and one rule: reading and request handlers never wait for a
 * listener that may itself wait for the peer.
 */
export class Lanes implements LaneHost {
  readonly budget: Budget;
  /** Open requests, sends and turns of this side. */
  readonly calls = new OpenCalls();
  readonly #channel: Channel;
  readonly #limits: ConnectionLimits;
  readonly #report: (diagnostic: Diagnostic) => void;
  readonly #busy = new Set<SessionLane>();
  #overlap: Budget | undefined;
  #waiting = 0;
  #watch: ReturnType<typeof setInterval> | undefined;
  #isClosed = false;

  /** Creates the lanes of a channel. The channel is paused at the budget, and resumed at half of the budget. */
  constructor(channel: Channel, limits: ConnectionLimits, report: (diagnostic: Diagnostic) => void) {
    this.#channel = channel;
    this.#limits = limits;
    this.#report = report;
    this.budget = new Budget(limits, (full) => this.#onBudget(full));
  }

  open(sessionId?: string): SessionLane {
    return new SessionLane(this, sessionId);
  }

  /** Starts the items that may start after a new call was opened. */
  reconsider(): void {
    if (!this.#standsStill) return;
    for (const lane of this.#busy) lane.reconsider();
  }

  /** Settles when the listeners that run at this moment have finished. */
  async runningNow(): Promise<void> {
    await Promise.all([...this.#busy].map((lane) => lane.runningNow()));
  }

  /** Settles when every lane has finished, or after 5 s. Listeners that still run after 5 s are reported. */
  async closed(): Promise<void> {
    this.#isClosed = true;
    this.#watchLanes();
    const settled = Promise.all([...this.#busy].map((lane) => lane.settled()));
    if (await withinGrace(settled, LANE_GRACE_MS)) return;
    for (const lane of this.#busy) {
      const { oldest, sessionId } = lane;
      const message = `${listenerText(oldest, sessionId)} still runs ${LANE_GRACE_MS / 1_000} s after the connection closed.`;
      this.#reportStuck(message, sessionId);
      lane.giveUp();
    }
    this.#busy.clear();
  }

  /** Count of the listeners that run while earlier ones run, with its bound. */
  get overlap(): Budget {
    const { waitingMessages, waitingBytes } = this.#limits;
    const most = { waitingMessages: waitingMessages * OVERLAP, waitingBytes: waitingBytes * OVERLAP };
    this.#overlap ??= new Budget(most, () => this.reconsider());
    return this.#overlap;
  }

  issued(): number {
    return this.calls.issued;
  }

  mayPass({ since, isStuck }: { since: number; isStuck: boolean }, isUrgent: boolean): boolean {
    if (!(isUrgent || this.budget.full) || this.#overlap?.full) return false;
    return isStuck || this.calls.anyAfter(since);
  }

  onError(error: unknown): void {
    this.#report({ code: "listener_failed", message: `A listener failed: ${textOf(error)}`, error });
  }

  onWait(change: 1 | -1): void {
    this.#waiting += change;
    this.#watchLanes();
  }

  onStuck(listener: Continued, sessionId: string | undefined): void {
    const event = listener.on?.type ?? "an event";
    const effect = this.budget.full
      ? "Reading has stopped meanwhile"
      : "A request of the peer or the end of a turn waits behind it";
    const who = listenerText(listener, sessionId);
    const message = `${who} has been handling ${event} for at least 2 s. ${effect}. Later events now start beside it.`;
    this.#reportStuck(message, sessionId);
  }

  onBusy(lane: SessionLane): void {
    this.#busy.add(lane);
  }

  onIdle(lane: SessionLane): void {
    this.#busy.delete(lane);
  }

  #onBudget(full: boolean): void {
    this.#watchLanes();
    if (!full) return this.#channel.resume();
    this.#channel.pause();
    this.reconsider();
  }

  /** `true` while listeners delay reading, a handler or the end of a turn. */
  get #standsStill(): boolean {
    return this.budget.full || this.#waiting > 0;
  }

  /** Checks the lanes every 2 s while {@link #standsStill}. */
  #watchLanes(): void {
    if (!this.#standsStill || this.#isClosed) {
      clearInterval(this.#watch);
      this.#watch = undefined;
    } else {
      this.#watch ??= setInterval(() => {
        for (const lane of this.#busy) lane.check(this.budget.full);
        // The bound may delay the message for which these listeners wait.
        if (this.#overlap?.full) this.#overlap.widen(MAX_OVERLAP);
      }, CHECK_MS);
    }
  }

  #reportStuck(message: string, sessionId: string | undefined): void {
    this.#report({ code: "listener_stuck", message, ...(sessionId !== undefined && { sessionId }) });
  }
}

function listenerText(listener: Continued | undefined, sessionId: string | undefined): string {
  const name = listener?.by?.name;
  return `${name ? `Listener ${name}` : "A listener"}${sessionId === undefined ? "" : ` of session ${sessionId}`}`;
}

/** Open request or send, with links to the calls before and after it. */
type OpenCall = { number: number; older: OpenCall | undefined; newer: OpenCall | undefined };

/** Sends that wait for the same promise of room. */
type Sends = { readonly room: Promise<void>; readonly call: OpenCall; readonly over: Promise<void> };

/**
 * Open requests and sends of a connection, numbered in the order in which they began. They form a linked list, from
 * which a call is removed at its end without a search.
 */
export class OpenCalls {
  #issued = 0;
  #newest: OpenCall | undefined;
  /** The latest sends that waited for room. */
  #sends: Sends | undefined;

  /** Number of the newest call. */
  get issued(): number {
    return this.#issued;
  }

  open(): OpenCall {
    return this.#issue({ number: 0, older: undefined, newer: undefined });
  }

  /**
   * Opens a send that ends when there is room. Sends that wait for the same room share one promise and one call. This
   * call has the number of the newest send.
   */
  openUntil(room: Promise<void>): Promise<void> {
    const sends = this.#sends;
    if (sends?.room === room) {
      this.close(sends.call);
      this.#issue(sends.call);
      return sends.over;
    }
    const call = this.open();
    const over = room.then(() => {
      this.close(call);
      if (this.#sends?.call === call) this.#sends = undefined;
    });
    this.#sends = { room, call, over };
    return over;
  }

  close(call: OpenCall): void {
    const { older, newer } = call;
    if (older !== undefined) older.newer = newer;
    if (newer !== undefined) newer.older = older;
    else this.#newest = older;
    // Otherwise a closed call in V8's old generation would hold all later calls in memory until the next full
    // collection.
    call.newer = undefined;
  }

  /** Returns `true` if a call is open that began after `moment`. */
  anyAfter(moment: number): boolean {
    return this.#newest !== undefined && this.#newest.number > moment;
  }

  #issue(call: OpenCall): OpenCall {
    this.#issued += 1;
    call.number = this.#issued;
    call.older = this.#newest;
    if (this.#newest !== undefined) this.#newest.newer = call;
    this.#newest = call;
    return call;
  }
}
