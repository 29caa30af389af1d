import type { SessionEvent, SessionLists } from "@turnkit/session";
import { RpcError } from "@turnkit/transport";
import type { LiveSession } from "./live-session.js";
import { Restoring } from "./restoring.js";
import { type WaitingLimits, WaitingUpdates } from "./waiting-updates.js";

/** Sessions of one connection, and updates of unknown sessions. */
export class SessionTable {
  readonly #open = new Map<string, LiveSession>();
  /** Restores in progress, by session id. A session of the same id may be open. */
  readonly #returning = new Map<string, Restoring>();
  /** Updates of unknown sessions. They wait while an open request may still return their session. */
  readonly #early: WaitingUpdates;
  #openRequests = 0;
  readonly #dropped: (sessionId: string, message: string) => void;

  /** @param dropped receives the session id of dropped updates, and the reason */
  constructor(limits: WaitingLimits, dropped: (sessionId: string, message: string) => void) {
    this.#early = new WaitingUpdates(limits);
    this.#dropped = dropped;
  }

  /**
   * Returns the session to which a request of the agent belongs. During a restore, this is the open session of the id, if
   * one exists.
   *
   * @throws RpcError `-32002` for a session that this connection did not open
   */
  get(sessionId: string): LiveSession {
    const session = this.#open.get(sessionId) ?? this.#returning.get(sessionId)?.session;
    if (session === undefined) throw RpcError.resourceNotFound({ sessionId });
    return session;
  }

  get all(): readonly LiveSession[] {
    return [...this.#open.values(), ...[...this.#returning.values()].map(({ session }) => session)];
  }

  /**
   * Delivers the updates of one message. Updates of an unknown session wait while an open request may still return that
   * session.
   */
  update(sessionId: string, events: readonly SessionEvent[], bytes: number): void {
    const open = this.#open.get(sessionId);
    const restoring = this.#returning.get(sessionId);
    if (restoring !== undefined) restoring.receive(open, events, bytes);
    else if (open !== undefined) open.receive(events, bytes);
    else if (this.#openRequests === 0) {
      this.#dropped(sessionId, "An update was dropped, because this client does not have its session.");
    } else if (!this.#early.add(sessionId, events, bytes)) {
      this.#dropped(
        sessionId,
        "An update was dropped, because too many updates arrived before their session was opened.",
      );
    }
  }

  /**
   * Runs a request whose answer may return a session. When no such request is left, updates of unknown sessions are
   * dropped.
   */
  async during<T>(request: () => Promise<T>): Promise<T> {
    this.#openRequests += 1;
    try {
      return await request();
    } finally {
      this.#openRequests -= 1;
      for (const id of this.#openRequests === 0 ? this.#early.sessionIds : []) {
        const { length } = this.#early.take(id);
        this.#dropped(id, `${length} updates were dropped: no session of that name was opened.`);
      }
    }
  }

  /** Adds a session, and ends an open session of the same id. Waiting updates are delivered after `session_opened`. */
  add(session: LiveSession, lists: SessionLists): void {
    this.#open.get(session.id)?.end("the session was opened anew");
    this.#open.set(session.id, session);
    session.opened(lists);
    this.#early.deliver(session);
  }

  isReturning(sessionId: string): boolean {
    return this.#returning.has(sessionId);
  }

  /**
   * Begins a restore. From now on, `session` also gets the updates of its id. The open session of this id continues, but
   * sends no prompts.
   *
   * @param replays true if the agent sends the earlier conversation
   */
  expect(session: LiveSession, replays: boolean): void {
    const open = this.#open.get(session.id);
    open?.queue.hold();
    this.#returning.set(session.id, new Restoring(session, open, replays));
  }

  /** Replaces the open session by the restored session after the replay. */
  arrived(session: LiveSession, lists: SessionLists): void {
    this.#returning.get(session.id)?.finish();
    session.opened(lists);
    this.#returning.delete(session.id);
    const open = this.#open.get(session.id);
    this.#open.set(session.id, session);
    open?.giveWay(session);
  }

  /** Ends the open session of an id, because the agent has ended it. */
  end(sessionId: string, reason: string): void {
    this.#open.get(sessionId)?.end(reason);
  }

  /** Removes a session that has ended. After a failed restore, the open session continues. */
  remove(session: LiveSession): void {
    const { id } = session;
    if (this.#open.get(id) === session) this.#open.delete(id);
    const restoring = this.#returning.get(id);
    if (restoring?.session !== session) return;
    this.#returning.delete(id);
    const open = this.#open.get(id);
    if (open === undefined) return;
    restoring.release(open);
    open.queue.release();
  }
}
