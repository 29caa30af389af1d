import type { SessionLists, SessionPlace } from "@turnkit/session";
import type { Calls, Loss } from "@turnkit/session/codec";
import { type Connection, type Diagnostic, RpcError, withinGrace } from "@turnkit/transport";
import type { ServeOptions } from "./agent.js";
import type { AgentHandlers } from "./agent-handlers.js";
import { CallOrder, CallStore } from "./call-order.js";
import type { Driver } from "./driver/driver.js";
import { LiveSession } from "./live-session.js";
import { TurnQueue } from "./turn-queue.js";

/** How long turns go on when the connection is gone: nobody waits for them, and their process may be about to end. */
const DEATH_GRACE_MS = 1_000;

const CANCEL_GRACE_MS = 10_000;

/** Sessions of one page of a list. */
const PAGE = 100;

/** What a table needs to make sessions. */
export type SessionTableParts<S> = {
  readonly handlers: AgentHandlers<S>;
  readonly options: ServeOptions;
  readonly connection: Connection;
  driver(): Driver;
};

/** The sessions of one connection, those that are being opened or ended included. Each ends once. */
export class SessionTable<S> {
  readonly #parts: SessionTableParts<S>;
  readonly #cancelGraceMs: number;
  readonly #calls: CallStore;
  readonly #byId = new Map<string, LiveSession<S>>();
  readonly #all = new Set<LiveSession<S>>();
  /** Orders of ids that are being deleted, as many as such calls are open: what follows waits for them. */
  readonly #deleting = new Map<string, { readonly order: CallOrder }>();
  /** How many were made; each has its number, so that a cursor outlives the session that it names. */
  #serial = 0;
  /** Whether this side closes: no turn begins any more. */
  isEnding = false;
  readonly #numbers = new WeakMap<LiveSession<S>, number>();

  constructor(parts: SessionTableParts<S>) {
    this.#parts = parts;
    this.#calls = new CallStore(parts.options.limits ?? {});
    this.#cancelGraceMs = parts.options.cancelGraceMs ?? CANCEL_GRACE_MS;
  }

  get size(): number {
    return this.#all.size;
  }

  find(sessionId: string): LiveSession<S> | undefined {
    return this.#byId.get(sessionId);
  }

  /**
   * Sessions of other connections are unknown here, whatever process serves both.
   *
   * @throws RpcError `-32002` for one that is not there
   */
  get(sessionId: string): LiveSession<S> {
    const session = this.#byId.get(sessionId);
    if (session === undefined) throw RpcError.resourceNotFound({ sessionId });
    return session;
  }

  /** The order of calls about an id that is open or being deleted here. */
  orderOf(sessionId: string): CallOrder | undefined {
    return this.#byId.get(sessionId)?.order ?? this.#deleting.get(sessionId)?.order;
  }

  /** Runs a deletion; until it is done, what is received about its id takes its turn in the same order. */
  async whileDeleting<T>(sessionId: string, work: (order: CallOrder) => Promise<T>): Promise<T> {
    const deletion = { order: this.orderOf(sessionId) ?? new CallOrder(this.#calls) };
    this.#deleting.set(sessionId, deletion);
    try {
      return await work(deletion.order);
    } finally {
      // Another deletion of it may wait.
      if (this.#deleting.get(sessionId) === deletion) this.#deleting.delete(sessionId);
    }
  }

  /**
   * Those that the client could prompt now, a page at a time, the oldest first.
   *
   * @throws RpcError `-32602` for a cursor that was not given here
   */
  page({ cwd, cursor }: Calls["listSessions"]["params"]): Calls["listSessions"]["result"] {
    const last = cursor == null ? 0 : /^[1-9]\d{0,14}$/.test(cursor) ? Number(cursor) : Number.POSITIVE_INFINITY;
    if (last > this.#serial) throw RpcError.invalidParams("there is no such cursor");
    const number = (session: LiveSession<S>): number => this.#numbers.get(session) ?? 0;
    const open = [...this.#byId.values()]
      .flatMap((newest) => [...newest.lineage()].find((session) => session.isOpen && !session.isClosed) ?? [])
      .filter((session) => number(session) > last && (cwd == null || session.cwd === cwd))
      .sort((one, other) => number(one) - number(other));
    const page = open.slice(0, PAGE);
    const end = page.at(-1);
    return {
      sessions: page.map((session) => session.describe()),
      ...(end !== undefined && open.length > PAGE && { nextCursor: String(number(end)) }),
    };
  }

  /** Makes a session that is to be opened; it takes the place of another with the same id. */
  create(id: string, place: SessionPlace): LiveSession<S> {
    const before = this.#byId.get(id);
    const order = this.orderOf(id);
    const { handlers, options, connection } = this.#parts;
    const driver = this.#parts.driver();
    const session = new LiveSession<S>({
      id,
      place,
      connection,
      driver,
      order,
      turns: new TurnQueue({
        whilePrompting: handlers.whilePrompting ?? "queue",
        cancelGraceMs: this.#cancelGraceMs,
      }),
      calls: this.#calls,
      limits: options.limits ?? {},
      encode: driver.createEncoder((loss) => this.lost(loss, id)),
      repeatsContents: driver.repeatsContents,
      onFault: (message, error, code = "outgoing_invalid") => this.#report({ code, message, sessionId: id, error }),
    });
    session.before = before;
    this.#byId.set(id, session);
    this.#all.add(session);
    this.#serial += 1;
    this.#numbers.set(session, this.#serial);
    return session;
  }

  /** Sets a session up. If that fails, the session is no more, and the one that it was to replace goes on. */
  async open(session: LiveSession<S>, setUp: () => Promise<SessionLists>): Promise<SessionLists> {
    let lists: SessionLists;
    try {
      lists = await setUp();
    } catch (error) {
      session.closeNow();
      session.opening.settle(false);
      this.#forget(session);
      this.#putBack(session);
      throw error;
    }
    session.isOpen = true;
    session.opening.settle(true);
    // If the connection is ending, what the handler made is cleaned up there.
    session.mustBeOpen();
    return lists;
  }

  /** The answer that opens a session has left: what was held follows, and what that answer could not carry. */
  announce(session: LiveSession<S>, { availableCommands }: SessionLists): void {
    // The answer may have been a refusal then: the client knows no such session.
    if (this.isEnding) return;
    try {
      session.outbox.release();
      if (availableCommands != null && !this.#parts.driver().commandsInAnswers) {
        session.setCommands(session.state.availableCommands ?? []);
      }
    } catch (error) {
      const message = "Updates that waited for the session's answer were dropped.";
      this.#report({ code: "outgoing_invalid", message, sessionId: session.id, error });
    }
  }

  /** Waits for the turns, which were cancelled before, mutes the session, and lets the agent clean up. Never rejects. */
  end(session: LiveSession<S>): Promise<void> {
    session.ended ??= this.#end(session);
    return session.ended;
  }

  /** Ends every turn, each with an answer; afterwards the sessions are closed to the client. */
  async cancelAll(graceMs = this.#cancelGraceMs): Promise<void> {
    this.isEnding = true;
    const ends = [...this.#all].map(async (session) => {
      session.turns.cancelAll(graceMs);
      await session.turns.idle();
      session.closeNow();
    });
    await Promise.all(ends);
  }

  /** The connection is gone. Settles when every session was cleaned up, or took too long for it. */
  async endAll(): Promise<void> {
    const sessions = [...this.#all];
    for (const { order } of this.#deleting.values()) order.abandon();
    for (const session of sessions) session.abandon(Math.min(DEATH_GRACE_MS, this.#cancelGraceMs));
    await withinGrace(Promise.all(sessions.map((session) => this.end(session))), this.#cancelGraceMs);
  }

  async #end(session: LiveSession<S>): Promise<void> {
    await session.turns.idle();
    session.closeNow();
    if (await session.opening.promise) await this.#cleanUp(session);
    await session.journal?.close();
    this.#forget(session);
  }

  async #cleanUp(session: LiveSession<S>): Promise<void> {
    try {
      await this.#parts.handlers.closeSession?.(session);
    } catch (error) {
      this.#report({ code: "listener_failed", message: "closeSession failed.", sessionId: session.id, error });
    }
  }

  /** A restore was refused: the open session goes on at once, with the prompts that came behind the restore. */
  #putBack(refused: LiveSession<S>): void {
    const before = refused.before?.current;
    if (before === undefined || before.isClosed) return;
    refused.standIn = before;
    before.turns.adopt(refused.turns);
    // Another restore may wait already.
    if (!this.#byId.has(before.id)) this.#byId.set(before.id, before);
  }

  #forget(session: LiveSession<S>): void {
    this.#all.delete(session);
    if (this.#byId.get(session.id) === session) this.#byId.delete(session.id);
  }

  /** Something could not be said in the client's dialect; `sessionId` where it is about one. */
  lost(loss: Loss, sessionId?: string): void {
    try {
      this.#parts.options.onLoss?.(loss, sessionId);
    } catch {
      // A broken hook must not break the session that it watches.
    }
  }

  #report(diagnostic: Diagnostic): void {
    try {
      this.#parts.options.onDiagnostic?.(diagnostic);
    } catch {
      // As above.
    }
  }
}
