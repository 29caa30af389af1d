import { Budget } from "./budget.js";
import type { Channel } from "./channel.js";
import type { ConnectionLimits } from "./connection.js";
import type { Diagnostic } from "./diagnostic.js";
import { withinGrace } from "./grace.js";
import { type Continued, type LaneHost, SessionLane } from "./lane.js";
import { OpenCalls } from "./open-calls.js";

/** Multiple of the budget of waiting messages that may run beside earlier listeners. */
const OVERLAP = 10;

/** How many times that bound the bound may grow to, by itself every 2 s, while nothing else can go on. */
const MAX_OVERLAP = 10;

/** A listener that is found at two checks in a row is stuck: after 2 to 4 s. */
const CHECK_MS = 2_000;

/** Longest wait for listeners that do not end after the connection closed. */
const LANE_GRACE_MS = 5_000;

/** The parts of a connection that its lanes need. */
export type LanesParts = {
  /** Reading stops at the budget, and goes on below half of it. */
  readonly channel: Pick<Channel, "pause" | "resume">;
  readonly limits: ConnectionLimits;
  report(diagnostic: Diagnostic): void;
};

/**
 * The lanes of one connection: their common budget, and when a listener may be passed. A listener that may wait for the
 * peer must not be what reading, or a handler of the peer's request, waits for.
 */
export class Lanes implements LaneHost {
  readonly budget: Budget;
  /** Requests, sends and turns of this side that have not ended. */
  readonly calls = new OpenCalls();
  readonly #parts: LanesParts;
  readonly #busy = new Set<SessionLane>();
  #overlap: Budget | undefined;
  #waiting = 0;
  #watch: ReturnType<typeof setInterval> | undefined;
  #isClosed = false;

  constructor(parts: LanesParts) {
    this.#parts = parts;
    this.budget = new Budget(parts.limits, (full) => this.#onBudget(full));
  }

  open(sessionId?: string): SessionLane {
    return new SessionLane(this, sessionId);
  }

  /** Starts what may start now that a call was opened. */
  reconsider(): void {
    if (!this.#standsStill) return;
    for (const lane of this.#busy) lane.reconsider();
  }

  /** Settles when the listeners that are running at this moment have finished. */
  async runningNow(): Promise<void> {
    await Promise.all([...this.#busy].map((lane) => lane.runningNow()));
  }

  /** Settles when every lane has finished, or after 5 s; reports listeners that have not. */
  async closed(): Promise<void> {
    this.#isClosed = true;
    this.#watchLanes();
    const settled = Promise.all([...this.#busy].map((lane) => lane.settled()));
    if (await withinGrace(settled, LANE_GRACE_MS)) return;
    for (const { oldest, sessionId } of this.#busy) {
      const message = `${listenerText(oldest, sessionId)} still runs ${LANE_GRACE_MS / 1_000} s after the connection closed.`;
      this.#reportStuck(message, sessionId);
    }
  }

  /** Counts listeners that run beside earlier ones. */
  get overlap(): Budget {
    const { waitingMessages, waitingBytes } = this.#parts.limits;
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
    this.#parts.report({ code: "listener_failed", message: "A listener failed.", error });
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
    if (!full) return this.#parts.channel.resume();
    this.#parts.channel.pause();
    this.reconsider();
  }

  /** True while reading, or a handler, waits for listeners. */
  get #standsStill(): boolean {
    return this.budget.full || this.#waiting > 0;
  }

  /** Checks the lanes from time to time as long as something waits for listeners. */
  #watchLanes(): void {
    if (!this.#standsStill || this.#isClosed) {
      clearInterval(this.#watch);
      this.#watch = undefined;
    } else {
      this.#watch ??= setInterval(() => {
        for (const lane of this.#busy) lane.check(this.budget.full);
        // What would end them may be behind what waits.
        if (this.#overlap?.full) this.#overlap.widen(MAX_OVERLAP);
      }, CHECK_MS);
    }
  }

  #reportStuck(message: string, sessionId: string | undefined): void {
    this.#parts.report({ code: "listener_stuck", message, ...(sessionId !== undefined && { sessionId }) });
  }
}

function listenerText(listener: Continued | undefined, sessionId: string | undefined): string {
  const name = listener?.by?.name;
  return `${name ? `Listener ${name}` : "A listener"}${sessionId === undefined ? "" : ` of session ${sessionId}`}`;
}
