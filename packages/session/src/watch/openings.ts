import { createSessionState } from "../create-session-state.js";
import type { SessionEvent } from "../event.js";
import { reduce } from "../reduce.js";
import { stateEvents } from "../state-events.js";

/** Maximum number of updates that are kept for one restore, and of all updates that wait for the answer of a new session. */
const MAX_KEPT_UPDATES = 1_000;

/** Replay that is under way, for restores of one session. */
type Replay = { state: ReturnType<typeof createSessionState>; updates: SessionEvent[]; isWhole: boolean };

const newReplay = (): Replay => ({ state: createSessionState(), updates: [], isWhole: true });

/** Open requests that restore, close or delete one session. */
type Opening = {
  requests: number;
  restores: number;
  /** Number of the newest request that had an effect. An answer to an older request has none. */
  newest: number;
  replay: Replay;
};

/** Requests that open and end sessions, and the updates that wait for their answers. */
export class Openings {
  readonly #openings = new Map<string, Opening>();
  #newSessions = 0;
  readonly #early = new Map<string, SessionEvent[]>();
  #earlyCount = 0;
  #serial = 0;

  /** Begins a request whose answer names a session. Call the result at its answer. */
  beginNew(): () => void {
    this.#newSessions += 1;
    return () => {
      this.#newSessions -= 1;
      if (this.#newSessions > 0) return;
      this.#early.clear();
      this.#earlyCount = 0;
    };
  }

  /** Returns the updates of a session that came before the answer that opened it. */
  takeEarly(sessionId: string): readonly SessionEvent[] {
    const updates = this.#early.get(sessionId) ?? [];
    this.#early.delete(sessionId);
    this.#earlyCount -= updates.length;
    return updates;
  }

  /** Keeps an update of an unknown session while an answer may name the session. */
  keepEarly(sessionId: string, event: SessionEvent): void {
    if (this.#newSessions === 0 || this.#earlyCount >= MAX_KEPT_UPDATES) return;
    const updates = this.#early.get(sessionId) ?? [];
    updates.push(event);
    this.#early.set(sessionId, updates);
    this.#earlyCount += 1;
  }

  /** Adds an update to the replay of a session. Returns false if none is under way. */
  addToReplay(sessionId: string, event: SessionEvent): boolean {
    const opening = this.#openings.get(sessionId);
    if (opening === undefined || opening.restores === 0) return false;
    const { replay } = opening;
    replay.state = reduce(replay.state, event);
    if (replay.updates.length < MAX_KEPT_UPDATES) replay.updates.push(event);
    else replay.isWhole = false;
    return true;
  }

  /**
   * Begins a request that restores a session with a replay, or ends it. Call the result at its answer.
   *
   * - It returns `undefined` if a later request had an effect already: agents run these requests in their order.
   * - Otherwise it returns the updates since the request. After the failure of the last restore they belong to the open
   *   session.
   */
  begin(sessionId: string, isRestore: boolean): (hasWorked: boolean) => readonly SessionEvent[] | undefined {
    const opening = this.#openings.get(sessionId) ?? { requests: 0, restores: 0, newest: 0, replay: newReplay() };
    this.#openings.set(sessionId, opening);
    this.#serial += 1;
    const serial = this.#serial;
    opening.requests += 1;
    if (isRestore) opening.restores += 1;
    return (hasWorked) => {
      opening.requests -= 1;
      if (isRestore) opening.restores -= 1;
      if (opening.requests === 0) this.#openings.delete(sessionId);
      const { replay } = opening;
      const isOutdated = hasWorked && opening.newest > serial;
      if (hasWorked && !isOutdated) opening.newest = serial;
      // A refused restore leaves the updates to the next one.
      const isTaken = isRestore && (hasWorked || opening.restores === 0);
      if (isTaken) opening.replay = newReplay();
      if (isOutdated) return undefined;
      if (!isTaken) return [];
      return hasWorked && !replay.isWhole ? (stateEvents(replay.state) ?? replay.updates) : replay.updates;
    };
  }
}
