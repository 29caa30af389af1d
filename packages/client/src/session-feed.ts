import {
  createSessionState,
  replacingMetadata,
  type SessionEvent,
  type SessionState,
  type StateLimits,
} from "@turnkit/session";
import { createLazyState, type ImpliedUpdates, type LazyState } from "@turnkit/session/codec";
import { type Diagnostic, type Lane, textOf } from "@turnkit/transport";
import { callUnawaited } from "./call-unawaited.js";
import type { Handled } from "./event-iterator.js";

type Awaitable<T> = T | Promise<T>;

/** Listener of the events of one session. `began` is the moment of the lane at the call. `name` is for reports. */
export interface Listener {
  readonly name: string;
  receive(event: SessionEvent, began: number): Awaitable<void> | Handled;
}

/** Parts of a session feed. */
export type SessionFeedParts = {
  readonly sessionId: string;
  readonly lane: Lane;
  readonly options: { readonly limits?: Partial<StateLimits>; readonly metaMode?: "patch" | "replace" };
  readonly report: (diagnostic: Diagnostic) => void;
  /** Events that the dialect lacks. Absent if the agent sends them. */
  readonly implied?: ImpliedUpdates | undefined;
};

/** Time in milliseconds after which a listener or handler that delays an end is reported. */
export const STUCK_AFTER_MS = 5_000;

/**
 * State and events of one session.
 *
 * - Subscribers are called after every change of the state.
 * - Listeners are called in the lane. A listener gets every event that was received after it was added.
 * - Events are applied lazily: they are queued, and reduced when the state is read.
 */
export class SessionFeed {
  readonly sessionId: string;
  readonly lane: Lane;
  readonly #state: LazyState;
  readonly #parts: SessionFeedParts;
  readonly #listeners = new Subscriptions<Listener>();
  readonly #subscribers = new Subscriptions<() => void>();
  /** Number of the newest event. */
  #newest = 0;
  #isOver = false;

  constructor(parts: SessionFeedParts) {
    this.#state = createLazyState(createSessionState(parts.options.limits));
    this.#parts = parts;
    this.sessionId = parts.sessionId;
    this.lane = parts.lane;
  }

  get state(): SessionState {
    return this.#state.after;
  }

  /** True if there are listeners or subscribers. */
  get isWatched(): boolean {
    return !this.#listeners.isEmpty || !this.#subscribers.isEmpty;
  }

  subscribe(subscriber: () => void): () => void {
    return this.#subscribers.add(subscriber);
  }

  listen(listener: Listener): () => void {
    return this.#listeners.add(listener, this.#newest);
  }

  /**
   * Applies an event and queues it for the listeners. Without listeners, the event takes no room in the lane.
   *
   * @param bytes size of the event on the wire
   */
  publish(event: SessionEvent, bytes = 0): void {
    const around = this.#parts.implied?.around(event);
    if (event.isImplied) return this.#queue(event, bytes);
    for (const implied of around?.before ?? []) this.#queue(implied, 0);
    const before = this.#add(event);
    this.#queue(event, bytes);
    for (const implied of around?.after ?? []) this.#queue(implied, 0);
    // Called after the event is queued: a subscriber may call a method immediately, and the events of that method must
    // follow this event.
    this.#notifySubscribers(before);
  }

  /** Queues an event for listeners. */
  #queue(event: SessionEvent, bytes: number): void {
    if (this.#listeners.isEmpty || this.#isOver) return;
    this.#newest += 1;
    const round = this.#newest;
    this.lane.notify(bytes, (began) => this.#call(event, round, began));
  }

  /** Publishes the last event for listeners. Later events only change the state. */
  end(event: SessionEvent): void {
    this.publish(event);
    this.#isOver = true;
  }

  /** Applies an event that listeners do not get. Used for sources that listeners must not slow down. */
  apply(event: SessionEvent): void {
    this.#notifySubscribers(this.#add(event));
  }

  /**
   * Runs `work` when listeners have handled all received events. Runs it immediately if they already have.
   *
   * @param after moment of the lane; earlier listener calls are not awaited
   */
  whenDone(work: () => void, after?: number): void {
    const { lane, sessionId } = this;
    if (lane.isSettled) return work();
    const timer = setTimeout(() => {
      const name = lane.oldest?.by?.name;
      const listener = `${name ? `Listener ${name}` : "A listener"} of session ${sessionId}`;
      const message = `${listener} still runs after 5 s, and the end of a turn or restore waits for it. Do not await that end inside the listener.`;
      this.report({ code: "listener_stuck", message });
    }, STUCK_AFTER_MS);
    void lane.settled(after).then(() => {
      clearTimeout(timer);
      work();
    });
  }

  report(diagnostic: Diagnostic): void {
    this.#parts.report({ ...diagnostic, sessionId: this.sessionId });
  }

  /** Applies an event. If there are subscribers, returns the earlier state. */
  #add(event: SessionEvent): SessionState | undefined {
    const before = this.#subscribers.isEmpty ? undefined : this.state;
    // V2-SEED-10
    this.#state.add(this.#parts.options.metaMode === "replace" ? replacingMetadata(this.state, event) : event);
    return before;
  }

  #notifySubscribers(before: SessionState | undefined): void {
    if (before === undefined || this.state === before) return;
    for (const { listener, open } of this.#subscribers.all) {
      if (!open) continue;
      callUnawaited(listener, (error) =>
        this.report({ code: "listener_failed", message: `A subscriber failed: ${textOf(error)}`, error }),
      );
    }
  }

  #call(event: SessionEvent, round: number, began: number): undefined | Handled {
    let all: Handled | undefined;
    for (const { listener, since, open } of this.#listeners.all) {
      if (!open || since >= round) continue;
      const handled = this.#callOne(listener, event, began);
      all = all && handled ? both(all, handled) : (all ?? handled);
    }
    return all;
  }

  #callOne(listener: Listener, event: SessionEvent, began: number): Handled | undefined {
    try {
      const outcome = listener.receive(event, began);
      if (typeof outcome !== "object" || outcome === null) return undefined;
      if ("since" in outcome) return outcome;
      const done = Promise.resolve(outcome).then(
        () => undefined,
        (error: unknown) => this.#failed(error),
      );
      return { done, since: began, by: listener, on: event };
    } catch (error) {
      this.#failed(error);
      return undefined;
    }
  }

  #failed(error: unknown): void {
    this.report({ code: "listener_failed", message: `A listener failed: ${textOf(error)}`, error });
  }
}

function both(one: Handled, other: Handled): Handled {
  const done = Promise.all([one.done, other.done]).then(() => undefined);
  return { ...one, done, since: Math.min(one.since, other.since) };
}

type Subscription<L> = {
  readonly listener: L;
  /** Number of the last event before the listener was added. */
  readonly since: number;
  open: boolean;
};

/**
 * Open subscriptions. A change replaces the list, so that a round in progress is not disturbed. A listener that is removed
 * during a round is not called again. A listener that is added during a round is first called in the next round.
 */
class Subscriptions<L> {
  #list: readonly Subscription<L>[] = [];

  get isEmpty(): boolean {
    return this.#list.length === 0;
  }

  /** Subscriptions in the order in which they were added. */
  get all(): readonly Subscription<L>[] {
    return this.#list;
  }

  /** @param since number of the last event that the listener does not get */
  add(listener: L, since = 0): () => void {
    const subscription: Subscription<L> = { listener, since, open: true };
    this.#list = [...this.#list, subscription];
    return () => {
      subscription.open = false;
      this.#list = this.#list.filter((other) => other !== subscription);
    };
  }
}
