import { replacingMetadata, type SessionEvent, type SessionState } from "@turnkit/session";
import { createLazyState, type LazyState } from "@turnkit/session/codec";
import type { Diagnostic, Lane } from "@turnkit/transport";
import type { Handled } from "./event-iterator.js";
import { Subscriptions } from "./subscriptions.js";

type Awaitable<T> = T | Promise<T>;

/** A listener of the events of one session. `began` is the moment of the lane at which it is called; `name` is for reports. */
export interface Listener {
  readonly name: string;
  receive(event: SessionEvent, began: number): Awaitable<void> | Handled;
}

/** How metadata that comes anew is folded: key by key, or as the whole of it (V2-SEED-10). */
export type MetaMode = "patch" | "replace";

/** What an audience is made of. */
export type SessionObserversParts = {
  readonly sessionId: string;
  readonly lane: Lane;
  readonly metaMode: MetaMode | undefined;
  report(diagnostic: Diagnostic): void;
};

/** A listener that holds up an end for so long is reported. */
const STUCK_AFTER_MS = 5_000;

/**
 * The state of one session and who follows it. Subscribers hear of every change at once; each listener is told, in the
 * lane, what was received after it came, and nothing from before.
 *
 * Events are folded at receipt as far as anybody can tell: most states between two chunks are never seen, and to make each
 * of them was a third of a client's work.
 */
export class SessionObservers {
  readonly #fold: LazyState;
  readonly #parts: SessionObserversParts;
  readonly #listeners = new Subscriptions<Listener>();
  readonly #subscribers = new Subscriptions<() => void>();
  /** Number of the newest event. */
  #newest = 0;

  constructor(state: SessionState, parts: SessionObserversParts) {
    this.#fold = createLazyState(state);
    this.#parts = parts;
  }

  get state(): SessionState {
    return this.#fold.after;
  }

  subscribe(subscriber: () => void): () => void {
    return this.#subscribers.add(subscriber);
  }

  listen(listener: Listener): () => void {
    return this.#listeners.add(listener, this.#newest);
  }

  /** Folds, and tells listeners in their order. Nothing waits, and nothing is counted, while nobody listens. */
  tell(event: SessionEvent, bytes: number): void {
    const before = this.#add(event);
    if (!this.#listeners.isEmpty) {
      this.#newest += 1;
      const round = this.#newest;
      this.#parts.lane.tell(bytes, (began) => this.#call(event, round, began));
    }
    // It has its place: a subscriber may give a command at once, and listeners hear of that afterwards.
    this.#tellSubscribers(before);
  }

  /** Folds only: for what listeners are not told, since nothing could slow its source down. */
  fold(event: SessionEvent): void {
    this.#tellSubscribers(this.#add(event));
  }

  /**
   * Runs `work` when listeners have finished with everything received so far; where they have, at once. Those that began
   * before the moment `after` are not waited for.
   */
  whenDone(work: () => void, after?: number): void {
    const { lane, sessionId } = this.#parts;
    if (lane.isSettled) return work();
    const timer = setTimeout(() => {
      const name = lane.oldest?.by?.name;
      const listener = `${name ? `Listener ${name}` : "A listener"} of session ${sessionId}`;
      const message = `${listener} still runs after 5 s, and the end of a turn or restore waits for it. Do not await that end inside the listener.`;
      this.#parts.report({ code: "listener_stuck", message });
    }, STUCK_AFTER_MS);
    void lane.settled(after).then(() => {
      clearTimeout(timer);
      work();
    });
  }

  /** Folds; answers what the state was before, where anybody wants to hear of a change. */
  #add(event: SessionEvent): SessionState | undefined {
    const before = this.#subscribers.isEmpty ? undefined : this.state;
    this.#fold.add(this.#parts.metaMode === "replace" ? replacingMetadata(this.state, event) : event);
    return before;
  }

  #tellSubscribers(before: SessionState | undefined): void {
    if (before === undefined || this.state === before) return;
    for (const { listener, open } of this.#subscribers.all) {
      if (!open) continue;
      try {
        listener();
      } catch (error) {
        this.#parts.report({ code: "listener_failed", message: "A subscriber failed.", error });
      }
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
    this.#parts.report({ code: "listener_failed", message: "A listener failed.", error });
  }
}

function both(one: Handled, other: Handled): Handled {
  const done = Promise.all([one.done, other.done]).then(() => undefined);
  return { ...one, done, since: Math.min(one.since, other.since) };
}
