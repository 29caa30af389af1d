import type { SessionEvent } from "@turnkit/session";
import { type WaitingLimits, WaitingUpdates } from "./waiting-updates.js";

/** Maximum number of ended sessions that are remembered. */
const MAX_ENDED = 1000;

/** Session that gets the updates that waited for it. */
type Receiver = { readonly id: string; receive(events: readonly SessionEvent[], bytes: number): void };

/** Reports dropped updates of a session. */
export type Dropped = (sessionId: string, message: string, code?: "dropped" | "late_update") => void;

/** Sessions of the connection, any of which may announce an unknown session. */
export type Announcers = {
  /** True if the agent works for an open session. */
  readonly isAnyAtWork: boolean;
  readonly isAnyReturning: boolean;
  /** Returns true during the restore of a session. */
  isReturning(sessionId: string): boolean;
};

/** Updates of sessions that the client does not have. They wait as long as something may still claim their session. */
export class UnclaimedUpdates {
  /** They wait while an open request may still return their session. */
  readonly #early: WaitingUpdates;
  /** They wait while work of an open session, or a restore, may still announce their session. */
  readonly #unannounced: WaitingUpdates;
  /** Updates of child sessions that only restores have announced. They wait until an open session announces them too. */
  readonly #restored: WaitingUpdates;
  /** Ids of the newest ended sessions. Their late updates do not wait. */
  readonly #ended = new Set<string>();
  readonly #announcers: Announcers;
  readonly #dropped: Dropped;
  #openRequests = 0;

  constructor(limits: WaitingLimits, announcers: Announcers, dropped: Dropped) {
    this.#early = new WaitingUpdates(limits);
    this.#unannounced = new WaitingUpdates(limits);
    this.#restored = new WaitingUpdates(limits);
    this.#announcers = announcers;
    this.#dropped = dropped;
  }

  /** Adds the updates of one message, or drops them if nothing can claim their session. */
  add(sessionId: string, events: readonly SessionEvent[], bytes: number): void {
    const room = this.#openRequests > 0 ? this.#early : this.#isAnnounceable(sessionId) ? this.#unannounced : undefined;
    if (room?.add(sessionId, events, bytes)) return;
    if (room === undefined && this.#ended.has(sessionId)) {
      return this.#dropped(sessionId, "An update was dropped, because its session has ended here.", "late_update");
    }
    const reason = room
      ? "too many updates arrived before their session was opened"
      : "this client does not have its session";
    this.#dropped(sessionId, `An update was dropped, because ${reason}.`);
  }

  /** Adds updates of a child session that only a restore has announced. */
  addRestored(sessionId: string, events: readonly SessionEvent[], bytes: number): void {
    this.#restored.add(sessionId, events, bytes);
  }

  /**
   * Runs a request whose answer may return a session. When no such request is left, updates are dropped, unless an
   * announcement may still claim them.
   */
  async during<T>(request: () => Promise<T>): Promise<T> {
    this.#openRequests += 1;
    try {
      return await request();
    } finally {
      this.#openRequests -= 1;
      this.drop();
    }
  }

  /** Delivers the updates that arrived before the answer with their session. */
  deliverEarly(session: Receiver): void {
    this.#early.deliver(session);
  }

  /** Delivers the updates that arrived before the announcement of their session. */
  deliverAnnounced(session: Receiver): void {
    for (const waiting of [this.#unannounced, this.#early]) waiting.deliver(session);
  }

  /** Delivers the updates that waited for the announcement by an open session. */
  deliverRestored(session: Receiver): void {
    this.#restored.deliver(session);
  }

  /** Removes the updates of a child session whose restored session replaces the open one. It has received them. */
  discardRestored(sessionId: string): void {
    this.#restored.take(sessionId);
  }

  /** Remembers the id of an ended session. Its late updates do not wait. */
  ended(sessionId: string): void {
    this.#ended.add(sessionId);
    const [oldest] = this.#ended.size > MAX_ENDED ? this.#ended : [];
    if (oldest !== undefined) this.#ended.delete(oldest);
    this.drop();
  }

  /** Drops updates that no answer and no announcement can claim any more. */
  drop(): void {
    if (this.#early.isEmpty && this.#unannounced.isEmpty) return;
    const { isAnyAtWork } = this.#announcers;
    for (const waiting of [this.#early, this.#unannounced]) {
      for (const id of waiting === this.#early && this.#openRequests > 0 ? [] : waiting.sessionIds) {
        const isAnnounceable = this.#isAnnounceable(id, isAnyAtWork);
        if (isAnnounceable && waiting === this.#unannounced) continue;
        const messages = waiting.take(id);
        const lost = messages.filter(
          ({ events, bytes }) => !isAnnounceable || !this.#unannounced.add(id, events, bytes),
        );
        if (lost.length > 0)
          this.#dropped(id, `${lost.length} updates were dropped: no session with this id was opened.`);
      }
    }
  }

  /** Drops updates of child sessions whose restore is over. They are lost if the restore was refused. */
  dropRestored(areLost: boolean): void {
    for (const id of this.#restored.sessionIds) {
      if (this.#announcers.isReturning(id)) continue;
      const { length } = this.#restored.take(id);
      if (areLost)
        this.#dropped(id, `${length} updates were dropped: the restore that announced their session was refused.`);
    }
  }

  /** Returns true if work, or a restore, may announce a session. Only a restore announces an ended session. */
  #isAnnounceable(sessionId: string, isAnyAtWork = this.#announcers.isAnyAtWork): boolean {
    return this.#announcers.isAnyReturning || (isAnyAtWork && !this.#ended.has(sessionId));
  }
}
