import type { SessionEvent, SessionLists } from "@turnkit/session";
import { RpcError } from "@turnkit/transport";
import type { LiveSession } from "./live-session.js";
import { Restoring } from "./restoring.js";
import { type UnclaimedLimits, UnclaimedUpdates } from "./unclaimed-updates.js";

/** Sessions of one connection, and updates of unknown sessions. */
export class SessionTable {
  readonly #open = new Map<string, LiveSession>();
  /** Restores in progress, perhaps beside open sessions of the same ids. */
  readonly #returning = new Map<string, Restoring>();
  readonly #early: UnclaimedUpdates;

  /** @param report receives updates that were dropped */
  constructor(limits: UnclaimedLimits, report: (sessionId: string, message: string) => void) {
    this.#early = new UnclaimedUpdates(limits, report);
  }

  /**
   * Returns the session of a request of the agent. Until the answer to a restore it is the open session, which shows
   * the request.
   *
   * @throws RpcError `-32002` for a session that this connection did not open
   */
  get(sessionId: string): LiveSession {
    const session = this.#open.get(sessionId) ?? this.#restoring(sessionId)?.session;
    if (session === undefined) throw RpcError.resourceNotFound({ sessionId });
    return session;
  }

  get all(): readonly LiveSession[] {
    return [...this.#open.values(), ...[...this.#returning.values()].map(({ session }) => session)];
  }

  /**
   * Delivers the updates of one message. Updates of an unknown session wait while a request that may name it is open.
   */
  update(sessionId: string, events: readonly SessionEvent[], bytes: number): void {
    const open = this.#open.get(sessionId);
    const restoring = this.#restoring(sessionId);
    if (restoring !== undefined) restoring.receive(open, events, bytes);
    else if (open !== undefined) open.receive(events, bytes);
    else this.#early.keep(sessionId, events, bytes);
  }

  /** Runs a request whose answer may name a session. */
  during<T>(request: () => Promise<T>): Promise<T> {
    return this.#early.during(request);
  }

  /** Adds a session and ends an open one of its id. Updates that came early follow `session_opened`. */
  add(session: LiveSession, lists: SessionLists): void {
    this.#open.get(session.id)?.end("the session was opened anew");
    this.#open.set(session.id, session);
    session.opened(lists);
    for (const { events, bytes } of this.#early.claim(session.id)) session.receive(events, bytes);
  }

  isReturning(sessionId: string): boolean {
    return this.#returning.has(sessionId);
  }

  /**
   * Begins a restore. `session` gets the updates of its id too; the open session continues, but sends no prompts.
   *
   * @param replays true if the agent sends the earlier conversation
   */
  expect(session: LiveSession, replays: boolean): void {
    const open = this.#open.get(session.id);
    open?.hold();
    this.#returning.set(session.id, new Restoring(session, replays ? open : undefined));
  }

  /** Delivers updates that waited for a replay to the restored session. */
  replayed({ id }: LiveSession): void {
    this.#returning.get(id)?.finish();
  }

  /** Replaces the open session by the restored one. */
  arrived(session: LiveSession): void {
    this.#returning.delete(session.id);
    const open = this.#open.get(session.id);
    this.#open.set(session.id, session);
    open?.giveWay(session);
  }

  /** Ends the open session of an id, which is over for the agent already. */
  end(sessionId: string, reason: string): void {
    this.#open.get(sessionId)?.end(reason);
  }

  /** Removes a session that is over. After a failed restore the open session continues. */
  remove(session: LiveSession): void {
    const { id } = session;
    if (this.#open.get(id) === session) this.#open.delete(id);
    const restoring = this.#returning.get(id);
    if (restoring?.session !== session) return;
    this.#returning.delete(id);
    const open = this.#open.get(id);
    restoring.release(open);
    open?.release();
  }

  #restoring(sessionId: string): Restoring | undefined {
    return this.#returning.size === 0 ? undefined : this.#returning.get(sessionId);
  }
}
