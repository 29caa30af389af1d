import { createSessionState, type SessionEvent, type SessionState, type StateLimits } from "@turnkit/session";
import { createLazyState, type LazyState, type StatesAround } from "@turnkit/session/codec";
import { forgetSurplus } from "./surplus-children.js";

/** States of a session and its child sessions at one moment, by id. The first state is that of the root session. */
export type States = ReadonlyMap<string, SessionState>;

/** Current states of a session and its newest child sessions. */
export class WatchedStates {
  readonly #rootId: string;
  readonly #limits: Partial<StateLimits>;
  readonly #states = new Map<string, LazyState>();

  constructor(id: string, state: SessionState) {
    this.#rootId = id;
    this.#limits = state.limits;
    this.set(id, state);
  }

  /**
   * Applies an event of a session. An event with an unknown id begins a new session. The caller must not change the
   * event afterwards.
   */
  add(id: string, event: SessionEvent): StatesAround {
    return this.#lazy(id).add(event);
  }

  set(id: string, state: SessionState): LazyState {
    forgetSurplus(this.#states, this.#rootId, ({ after }) => after.activity.state === "idle");
    const lazy = createLazyState(state);
    this.#states.set(id, lazy);
    return lazy;
  }

  get(id: string): SessionState {
    return this.#lazy(id).after;
  }

  /** Returns the current states. */
  now(): States {
    return new Map([...this.#states].map(([id, { after }]) => [id, after]));
  }

  /** Returns the states before the newest event, which belongs to the session `id`. */
  before(id: string): States {
    return new Map([...this.#states].map(([each, lazy]) => [each, each === id ? lazy.before : lazy.after]));
  }

  #lazy(id: string): LazyState {
    return this.#states.get(id) ?? this.set(id, createSessionState(this.#limits));
  }
}

/** Returns true if nothing has changed between two moments. */
export const isSame = (one: States, other: States): boolean =>
  one.size === other.size && [...one].every(([id, state]) => other.get(id) === state);
