import type { SessionEvent } from "@turnkit/session";
import { RpcError } from "@turnkit/transport";
import { type EarlyLimits, EarlyUpdates } from "./early-updates.js";
import type { LiveSession } from "./live-session.js";

/** The sessions of one connection, and what came for those that are not known yet. */
export class SessionTable {
  readonly #open = new Map<string, LiveSession>();
  /** Sessions that are brought back at this moment: what comes for their ids is theirs, whatever is open beside them. */
  readonly #returning = new Map<string, LiveSession>();
  readonly #early: EarlyUpdates;

  /** @param report told of updates that were given up */
  constructor(limits: EarlyLimits, report: (sessionId: string, message: string) => void) {
    this.#early = new EarlyUpdates(limits, report);
  }

  /** @throws RpcError `-32002` for a session that this connection did not open */
  get(sessionId: string): LiveSession {
    const session = this.#find(sessionId);
    if (session === undefined) throw RpcError.resourceNotFound({ sessionId });
    return session;
  }

  get all(): readonly LiveSession[] {
    return [...this.#open.values(), ...this.#returning.values()];
  }

  /** Updates of a session that is not known yet are kept while a request that may name it is open. */
  update(sessionId: string, events: readonly SessionEvent[], bytes: number): void {
    const session = this.#find(sessionId);
    if (session === undefined) this.#early.keep(sessionId, events, bytes);
    else session.receive(events, bytes);
  }

  /** Runs a request whose answer may name a session. */
  during<T>(request: () => Promise<T>): Promise<T> {
    return this.#early.during(request);
  }

  /** Takes a session in; one of that id that was open before ends. `tell` runs before it gets what came early. */
  add(session: LiveSession, tell: () => void): void {
    this.#open.get(session.id)?.end("the session was opened anew");
    this.#open.set(session.id, session);
    tell();
    for (const { events, bytes } of this.#early.claim(session.id)) session.receive(events, bytes);
  }

  isReturning(sessionId: string): boolean {
    return this.#returning.has(sessionId);
  }

  /** From now on what comes for its id is told to `session`; the one that is open stays as it is. */
  expect(session: LiveSession): void {
    this.#returning.set(session.id, session);
  }

  /** The session is back: in one step it takes the place of the one that was open. */
  arrived(session: LiveSession): void {
    this.#returning.delete(session.id);
    this.#open.get(session.id)?.end("the session was restored");
    this.#open.set(session.id, session);
  }

  /** The session is over. */
  remove(session: LiveSession): void {
    for (const sessions of [this.#open, this.#returning]) {
      if (sessions.get(session.id) === session) sessions.delete(session.id);
    }
  }

  #find(sessionId: string): LiveSession | undefined {
    const returning = this.#returning.size === 0 ? undefined : this.#returning.get(sessionId);
    return returning ?? this.#open.get(sessionId);
  }
}
