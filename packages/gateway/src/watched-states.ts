import { createSessionState, type SessionEvent, type SessionState, type StateLimits } from "@turnkit/session";
import { createLazyState, type LazyState, type StatesAround } from "@turnkit/session/codec";

/** States of a session and its child sessions at one moment, by id. The first one is that of the session itself. */
export type States = ReadonlyMap<string, SessionState>;

/** Current states of a session and its child sessions. */
export class WatchedStates {
  readonly #limits: Partial<StateLimits>;
  readonly #states = new Map<string, LazyState>();

  constructor(id: string, state: SessionState) {
    this.#limits = state.limits;
    this.set(id, state);
  }

  /** Applies an event of a session, which is new if its id is. Nobody may change the event afterwards. */
  add(id: string, event: SessionEvent): StatesAround {
    return this.#lazy(id).add(event);
  }

  set(id: string, state: SessionState): void {
    this.#states.set(id, createLazyState(state));
  }

  get(id: string): SessionState {
    return this.#lazy(id).after;
  }

  /** Returns the states of this moment. */
  now(): States {
    return new Map([...this.#states].map(([id, { after }]) => [id, after]));
  }

  /** Returns the states before the newest event, which belongs to the session `id`. */
  before(id: string): States {
    return new Map([...this.#states].map(([each, lazy]) => [each, each === id ? lazy.before : lazy.after]));
  }

  #lazy(id: string): LazyState {
    const known = this.#states.get(id);
    if (known !== undefined) return known;
    const lazy = createLazyState(createSessionState(this.#limits));
    this.#states.set(id, lazy);
    return lazy;
  }
}

/** Returns true if nothing has changed between two moments. */
export const isSame = (one: States, other: States): boolean =>
  one.size === other.size && [...one].every(([id, state]) => other.get(id) === state);
