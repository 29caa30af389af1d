import { reduce, replacingMetadata, type SessionEvent, type SessionState } from "@turnkit/session";
import type { Diagnostic, Lane } from "@turnkit/transport";
import type { Handled } from "./event-iterator.js";
import { Subscriptions } from "./subscriptions.js";

type Awaitable<T> = T | Promise<T>;

/** Told an event; `began` is the moment of the lane at which. */
export type Listener = (event: SessionEvent, began: number) => Awaitable<void> | Handled;

type Report = (diagnostic: Omit<Diagnostic, "sessionId">) => void;

/** How metadata that comes anew is folded: key by key, or as the whole of it (V2-SEED-10). */
export type MetaMode = "patch" | "replace";

/** What an audience is made of. */
export type AudienceParts = { readonly lane: Lane; readonly metaMode: MetaMode; readonly report: Report };

/** A listener that holds up an end for so long is reported. */
const STUCK_AFTER_MS = 5_000;

/**
 * The state of one session and who follows it. Subscribers hear of every change at once; each listener is told, in the
 * lane, what was received after it came, and nothing from before.
 */
export class Audience {
  state: SessionState;
  readonly #lane: Lane;
  readonly #report: Report;
  readonly #metaMode: MetaMode;
  readonly #listeners = new Subscriptions<Listener>();
  readonly #subscribers = new Subscriptions<() => void>();
  /** Number of the newest event. */
  #newest = 0;

  constructor(state: SessionState, { lane, metaMode, report }: AudienceParts) {
    this.state = state;
    this.#lane = lane;
    this.#metaMode = metaMode;
    this.#report = report;
  }

  subscribe(subscriber: () => void): () => void {
    return this.#subscribers.add(subscriber);
  }

  listen(listener: Listener): () => void {
    return this.#listeners.add(listener, this.#newest);
  }

  /** Folds now and tells listeners in their order. Nothing waits, and nothing is counted, while nobody listens. */
  tell(event: SessionEvent, bytes: number): void {
    this.fold(event);
    if (this.#listeners.isEmpty) return;
    this.#newest += 1;
    const round = this.#newest;
    this.#lane.tell(bytes, (began) => this.#call(event, round, began));
  }

  /** Folds only: for what listeners are not told, since nothing could slow its source down. */
  fold(event: SessionEvent): void {
    const before = this.state;
    this.state = reduce(before, this.#metaMode === "replace" ? replacingMetadata(before, event) : event);
    if (this.state === before || this.#subscribers.isEmpty) return;
    this.#subscribers.each((subscriber) => {
      try {
        subscriber();
      } catch (error) {
        this.#report({ code: "listener_failed", message: "A subscriber failed.", error });
      }
    });
  }

  /** Settles when listeners have finished with everything received so far. */
  async done(): Promise<void> {
    if (this.#lane.isSettled) return;
    const timer = setTimeout(() => {
      const message = "A listener holds up the end of a turn or a restore. Does it await that itself?";
      this.#report({ code: "listener_stuck", message });
    }, STUCK_AFTER_MS);
    await this.#lane.settled();
    clearTimeout(timer);
  }

  #call(event: SessionEvent, round: number, began: number): void | Promise<void> | Handled {
    let pending: Promise<void>[] | undefined;
    let since = began;
    this.#listeners.each((listener) => {
      const handled = this.#callOne(listener, event, began);
      if (handled === undefined) return;
      pending ??= [];
      pending.push(handled.done);
      since = Math.min(since, handled.since);
    }, round);
    if (pending === undefined) return undefined;
    const [first] = pending;
    const done = pending.length === 1 ? first : Promise.all<void>(pending).then(() => undefined);
    return { done: done as Promise<void>, since };
  }

  #callOne(listener: Listener, event: SessionEvent, began: number): Handled | undefined {
    try {
      const outcome = listener(event, began);
      if (typeof outcome !== "object" || outcome === null) return undefined;
      if ("since" in outcome) return outcome;
      const done = Promise.resolve(outcome).then(
        () => undefined,
        (error: unknown) => this.#failed(error),
      );
      return { done, since: began };
    } catch (error) {
      this.#failed(error);
      return undefined;
    }
  }

  #failed(error: unknown): void {
    this.#report({ code: "listener_failed", message: "A listener failed.", error });
  }
}
