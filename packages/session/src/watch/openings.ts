import type { SessionEvent } from "../event.js";
import { KeptUpdates } from "./kept-updates.js";
import { Replay } from "./replay.js";
import type { WatchedSession } from "./watched-session.js";

/** Maximum number of child sessions that one restore replaces. */
// P-SUB-19
const MAX_CHILDREN = 1_024;

/** Open requests that restore, close or delete one session. */
type Opening = {
  requests: number;
  restores: number;
  /** Number of the newest request that had an effect. Answers to older requests have no effect. */
  newest: number;
  /** Replays of the session and of the child sessions that the restore has announced, by id. */
  replays: Map<string, Replay>;
};

type Update = { readonly sessionId: string; readonly event: SessionEvent };
/** Events of the session of a restore and of its child sessions, by id. */
export type RestoredEvents = ReadonlyMap<string, readonly SessionEvent[]>;

/** Requests that open and end sessions, and the updates that wait for their answers. */
export class Openings {
  readonly #openings = new Map<string, Opening>();
  #newSessions = 0;
  #early = new KeptUpdates();
  #serial = 0;

  /** Begins a request whose answer contains the id of a session. Call the returned function at the answer. */
  beginNew(): () => void {
    this.#newSessions += 1;
    return () => {
      this.#newSessions -= 1;
      if (this.#newSessions === 0) this.#early = new KeptUpdates();
    };
  }

  /** Returns the updates of a session that arrived before the answer that opened it. */
  takeEarly(sessionId: string): readonly SessionEvent[] {
    return this.#early.take(sessionId);
  }

  /**
   * Stores an update of an unknown session while an open request may still create this session. Returns `false` if no such
   * request is open.
   */
  keepEarly(sessionId: string, event: SessionEvent): boolean {
    if (this.#newSessions > 0) this.#early.add(sessionId, event);
    return this.#newSessions > 0;
  }

  /**
   * Adds an update to a restore of the session `restoredId`. Returns `false` if no such restore is open, or if it has not
   * announced the session of the update.
   *
   * @param open open session of the update
   */
  addToReplay(restoredId: string, { sessionId, event }: Update, open: WatchedSession | undefined): boolean {
    const { restores = 0, replays } = this.#openings.get(restoredId) ?? {};
    const replay = restores > 0 ? replays?.get(sessionId) : undefined;
    replay?.add(event, open);
    return replay !== undefined;
  }

  /** Returns `true` while a restore of the session is open. */
  isRestored(sessionId: string): boolean {
    return (this.#openings.get(sessionId)?.restores ?? 0) > 0;
  }

  /** Begins the replay of a child session that a session of the restore has announced. */
  announced(restoredId: string, parentId: string, sessionId: string): void {
    const { restores = 0, replays } = this.#openings.get(restoredId) ?? {};
    if (restores === 0 || !replays?.has(parentId) || replays.has(sessionId) || replays.size > MAX_CHILDREN) return;
    replays.set(sessionId, new Replay(true));
  }

  /**
   * Begins a request that restores a session with a replay, or that ends a session. Call the returned function at the
   * answer.
   *
   * - The function returns `undefined` if a later request already had an effect, because agents run these requests in
   *   order.
   * - Otherwise it returns the updates that arrived since the request. If the last restore has failed, these updates
   *   belong to the open sessions.
   */
  begin(sessionId: string, isRestore: boolean): (hasWorked: boolean) => RestoredEvents | undefined {
    const opening = this.#openings.get(sessionId) ?? {
      ...{ requests: 0, restores: 0, newest: 0, replays: replaysOf(sessionId) },
    };
    this.#openings.set(sessionId, opening);
    this.#serial += 1;
    const serial = this.#serial;
    opening.requests += 1;
    if (isRestore) opening.restores += 1;
    return (hasWorked) => {
      opening.requests -= 1;
      if (isRestore) opening.restores -= 1;
      if (opening.requests === 0) this.#openings.delete(sessionId);
      const { replays } = opening;
      const isOutdated = hasWorked && opening.newest > serial;
      if (hasWorked && !isOutdated) opening.newest = serial;
      // If a restore is refused, the updates belong to the next restore.
      const isTaken = isRestore && (hasWorked || opening.restores === 0);
      if (isTaken) opening.replays = replaysOf(sessionId);
      else if (isRestore) for (const replay of replays.values()) replay.refused();
      if (isOutdated) return undefined;
      if (!isTaken) return new Map();
      return new Map([...replays].map(([id, replay]) => [id, hasWorked ? replay.conversation : replay.waiting]));
    };
  }
}

const replaysOf = (sessionId: string) => new Map([[sessionId, new Replay(false)]]);
