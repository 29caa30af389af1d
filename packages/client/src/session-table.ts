import type { SessionEvent, SessionLists } from "@turnkit/session";
import { RpcError } from "@turnkit/transport";
import type { LiveSession } from "./live-session.js";
import { Restoring } from "./restoring.js";
import { type UnclaimedLimits, UnclaimedUpdates } from "./unclaimed-updates.js";

/** The sessions of one connection, and what came for those that are not known yet. */
export class SessionTable {
  readonly #open = new Map<string, LiveSession>();
  /** Sessions that are brought back at this moment, perhaps beside open ones of their ids. */
  readonly #returning = new Map<string, Restoring>();
  readonly #early: UnclaimedUpdates;

  /** @param report told of updates that were given up */
  constructor(limits: UnclaimedLimits, report: (sessionId: string, message: string) => void) {
    this.#early = new UnclaimedUpdates(limits, report);
  }

  /**
   * The session that a request of the agent is about: one that is being restored only where none of its id works.
   *
   * @throws RpcError `-32002` for a session that this connection did not open
   */
  get(sessionId: string): LiveSession {
    const open = this.#open.get(sessionId);
    const session = open?.isAtWork ? open : (this.#restoring(sessionId)?.session ?? open);
    if (session === undefined) throw RpcError.resourceNotFound({ sessionId });
    return session;
  }

  get all(): readonly LiveSession[] {
    return [...this.#open.values(), ...[...this.#returning.values()].map(({ session }) => session)];
  }

  /** Updates of a session that is not known yet are kept while a request that may name it is open. */
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

  /** Takes a session in; one of that id that was open before ends. Updates that came early follow `session_opened`. */
  add(session: LiveSession, lists: SessionLists): void {
    this.#open.get(session.id)?.end("the session was opened anew");
    this.#open.set(session.id, session);
    session.opened(lists);
    for (const { events, bytes } of this.#early.claim(session.id)) session.receive(events, bytes);
  }

  isReturning(sessionId: string): boolean {
    return this.#returning.has(sessionId);
  }

  /** From now on what comes for its id is told to `session` too; the one that is open goes on. */
  expect(session: LiveSession): void {
    this.#returning.set(session.id, new Restoring(session));
  }

  /** The session is back: in one step it takes the place of the one that was open. */
  arrived(session: LiveSession): void {
    this.#returning.delete(session.id);
    this.#open.get(session.id)?.end("the session was restored");
    this.#open.set(session.id, session);
  }

  /** The session that is open under this id is over, on the agent's side already. */
  end(sessionId: string, reason: string): void {
    this.#open.get(sessionId)?.end(reason);
  }

  /** The session is over. Where it was to be restored, the one that is open goes on. */
  remove(session: LiveSession): void {
    const { id } = session;
    if (this.#open.get(id) === session) this.#open.delete(id);
    const restoring = this.#returning.get(id);
    if (restoring?.session !== session) return;
    this.#returning.delete(id);
    restoring.release(this.#open.get(id));
  }

  #restoring(sessionId: string): Restoring | undefined {
    return this.#returning.size === 0 ? undefined : this.#returning.get(sessionId);
  }
}
