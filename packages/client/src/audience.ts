import type { SessionEvent } from "@turnkit/session";
import type { Lane } from "@turnkit/transport";
import type { Handled } from "./event-iterator.js";
import { Subscriptions } from "./subscriptions.js";

type Awaitable<T> = T | Promise<T>;

/** Told an event; `began` is the moment of the lane at which. */
export type Listener = (event: SessionEvent, began: number) => Awaitable<void> | Handled;

/** The listeners of one session. Each is told what was received after it came, and nothing from before. */
export class Audience {
  readonly #lane: Lane;
  readonly #onError: (error: unknown) => void;
  readonly #listeners = new Subscriptions<Listener>();
  /** Number of the newest event. */
  #newest = 0;

  constructor(lane: Lane, onError: (error: unknown) => void) {
    this.#lane = lane;
    this.#onError = onError;
  }

  add(listener: Listener): () => void {
    return this.#listeners.add(listener, this.#newest);
  }

  /** Tells an event in its place. Nothing waits, and nothing is counted, while nobody listens. */
  tell(event: SessionEvent, bytes: number): void {
    if (this.#listeners.isEmpty) return;
    this.#newest += 1;
    const round = this.#newest;
    this.#lane.tell(bytes, (began) => this.#call(event, round, began));
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
      const done = Promise.resolve(outcome).then(() => undefined, this.#onError);
      return { done, since: began };
    } catch (error) {
      this.#onError(error);
      return undefined;
    }
  }
}
