import type { ListSessions, SessionLists, SessionPage, SessionPlace } from "@turnkit/session";
import { type Connection, RpcError, withinGrace } from "@turnkit/transport";
import type { AgentHandlers } from "./agent-handlers.js";
import { CallOrder, CallStore } from "./call-order.js";
import type { Driver } from "./driver/driver.js";
import { LiveSession } from "./live-session.js";
import type { Hooks, ServeOptions } from "./serve-options.js";

/** Longest time for turns after the end of the connection, in ms: nobody waits for them, and the process may be ending. */
const DEATH_GRACE_MS = 1_000;

const CANCEL_GRACE_MS = 10_000;

/** Sessions of one page of a list. */
const PAGE = 100;

/** Parts of a table of sessions. */
export type SessionTableParts<S> = {
  readonly handlers: AgentHandlers<S>;
  readonly options: ServeOptions;
  readonly hooks: Hooks;
  readonly connection: Connection;
  driver(): Driver;
};

/**
 * Sessions of one connection. Each ends once.
 *
 * An id has several sessions while restores of it are undecided: a restore adds a session in front of the older ones. A
 * restore that succeeds ends the older ones. One that is refused leaves the list, and the next older session goes on.
 */
export class SessionTable<S> {
  readonly #parts: SessionTableParts<S>;
  readonly #cancelGraceMs: number;
  readonly #calls: CallStore;
  /** Sessions by id, the newest first: those that are being opened, open, or being ended. No list is empty. */
  readonly #byId = new Map<string, readonly LiveSession<S>[]>();
  /** Orders of calls by id without a session: while a deletion runs, or calls about closed sessions are unanswered. */
  readonly #orders = new Map<string, CallOrder>();
  /** Number of the newest session. Cursors are numbers, so they outlive the sessions that they name. */
  #serial = 0;
  /** True once this side closes: no turn begins any more. */
  isEnding = false;

  constructor(parts: SessionTableParts<S>) {
    this.#parts = parts;
    this.#calls = new CallStore(parts.options.limits ?? {});
    this.#cancelGraceMs = parts.options.cancelGraceMs ?? CANCEL_GRACE_MS;
  }

  /** True if the agent cleans up closed sessions. */
  get hasCleanUp(): boolean {
    return this.#parts.handlers.closeSession !== undefined;
  }

  get isEmpty(): boolean {
    return this.#byId.size === 0;
  }

  /** Returns all sessions of an id, the newest first. */
  all(sessionId: string): readonly LiveSession<S>[] {
    return this.#byId.get(sessionId) ?? [];
  }

  /** Returns the newest session of an id. */
  find(sessionId: string): LiveSession<S> | undefined {
    return this.all(sessionId)[0];
  }

  /**
   * Returns the newest session of an id. Sessions of other connections are unknown here.
   *
   * @throws RpcError `-32002` if there is none
   */
  get(sessionId: string): LiveSession<S> {
    const session = this.find(sessionId);
    if (session === undefined) throw RpcError.resourceNotFound({ sessionId });
    return session;
  }

  /** Returns the session that takes the calls for `asked` now: an older one if its restore was refused. */
  current(asked: LiveSession<S>): LiveSession<S> {
    return this.all(asked.id).find(({ number }) => number <= asked.number) ?? asked;
  }

  /** Returns the session that the restore of `session` replaces, if there is one. */
  before({ id, number }: LiveSession<S>): LiveSession<S> | undefined {
    return this.all(id).find((other) => other.number < number);
  }

  /** Returns the order of calls about an id that has sessions or is being deleted. */
  orderOf(sessionId: string): CallOrder | undefined {
    return this.find(sessionId)?.order ?? this.#orders.get(sessionId);
  }

  /** Runs a deletion. Calls about its id that arrive before it is answered join the same order. */
  whileDeleting<T>(sessionId: string, work: (order: CallOrder) => Promise<T>): Promise<T> {
    const order = this.orderOf(sessionId) ?? new CallOrder(this.#calls);
    const done = work(order);
    this.#keepOrder(sessionId, order);
    return done;
  }

  /**
   * Returns a page of the sessions that the client can prompt now, the oldest first.
   *
   * @throws RpcError `-32602` for a cursor that was not given here
   */
  page({ cwd, cursor }: ListSessions): SessionPage {
    const last = cursor == null ? 0 : /^[1-9]\d{0,14}$/.test(cursor) ? Number(cursor) : Number.POSITIVE_INFINITY;
    if (last > this.#serial)
      throw RpcError.invalidParams("the cursor is unknown; begin the list again without a cursor");
    const open = [...this.#byId.values()]
      .flatMap((sessions) => sessions.find(({ wasOpened, output }) => wasOpened && !output.isClosed) ?? [])
      .filter((session) => session.number > last && (cwd == null || session.cwd === cwd))
      .sort((one, other) => one.number - other.number);
    const page = open.slice(0, PAGE);
    const end = page.at(-1);
    return {
      sessions: page.map((session) => session.describe()),
      ...(end !== undefined && open.length > PAGE && { nextCursor: String(end.number) }),
    };
  }

  /** Adds a session that is to be opened, in front of older ones of its id. */
  create(id: string, place: SessionPlace): LiveSession<S> {
    const { handlers, options, hooks, connection } = this.#parts;
    const driver = this.#parts.driver();
    this.#serial += 1;
    const session = new LiveSession<S>({
      id,
      number: this.#serial,
      place,
      connection,
      driver,
      handlers,
      cancelGraceMs: this.#cancelGraceMs,
      order: this.orderOf(id),
      calls: this.#calls,
      limits: options.limits ?? {},
      encode: driver.createEncoder((loss) => hooks.lost(loss, id)),
      onFault: (message, error, code = "outgoing_invalid") => hooks.report({ code, message, sessionId: id, error }),
    });
    this.#byId.set(id, [session, ...this.all(id)]);
    return session;
  }

  /** Sets a session up. A failure removes the session; the one that it was to replace goes on at once. */
  async open(session: LiveSession<S>, setUp: () => Promise<SessionLists>): Promise<SessionLists> {
    let lists: SessionLists;
    try {
      lists = await setUp();
    } catch (error) {
      session.output.close();
      session.opening.resolve(false);
      this.#remove(session);
      const current = this.current(session);
      // These prompts arrived behind the restore.
      if (current !== session && !current.output.isClosed) current.prompts.adopt(session.prompts);
      throw error;
    }
    session.wasOpened = true;
    session.opening.resolve(true);
    // If the connection is ending, `endAll` cleans up the handler's work.
    session.output.mustBeOpen();
    return lists;
  }

  /** Sends the updates that were held, and the commands if the answer could not carry them. Call it after the answer. */
  announce(session: LiveSession<S>, { availableCommands }: SessionLists): void {
    // The answer may be a refusal now. The client then does not know the session.
    if (this.isEnding) return;
    session.output.outbox.release();
    if (availableCommands == null || session.driver.dialect.commandsInAnswers) return;
    try {
      session.setCommands(session.state.availableCommands ?? []);
    } catch (error) {
      session.output.onFault("The commands of a session could not be sent.", error);
    }
  }

  /** Ends a session once its turns, which were cancelled before, have ended. Runs `closeSession`. Never rejects. */
  end(session: LiveSession<S>): Promise<void> {
    session.ended ??= this.#end(session);
    return session.ended;
  }

  /** Ends every turn, each with an answer, then closes the output of every session. */
  async cancelAll(graceMs = this.#cancelGraceMs): Promise<void> {
    this.isEnding = true;
    const ends = this.#sessions.map(async ({ prompts, output }) => {
      prompts.cancelAll(graceMs);
      await prompts.idle();
      output.close();
    });
    await Promise.all(ends);
  }

  /** Ends every session after the end of the connection. Settles when all are ended, or the grace is over. */
  async endAll(): Promise<void> {
    const sessions = this.#sessions;
    for (const order of this.#orders.values()) order.abandon();
    for (const session of sessions) session.abandon(Math.min(DEATH_GRACE_MS, this.#cancelGraceMs));
    await withinGrace(Promise.all(sessions.map((session) => this.end(session))), this.#cancelGraceMs);
  }

  async #end(session: LiveSession<S>): Promise<void> {
    await session.prompts.idle();
    session.output.close();
    if (await session.opening.promise) {
      // Before the clean-up, which may empty the data.
      session.storeData();
      await this.#cleanUp(session);
    }
    await session.output.journal?.close();
    this.#remove(session);
  }

  async #cleanUp(session: LiveSession<S>): Promise<void> {
    try {
      await this.#parts.handlers.closeSession?.(session);
    } catch (error) {
      session.output.onFault("closeSession failed.", error, "listener_failed");
    }
  }

  get #sessions(): readonly LiveSession<S>[] {
    return [...this.#byId.values()].flat();
  }

  #remove(session: LiveSession<S>): void {
    const others = this.all(session.id).filter((other) => other !== session);
    if (others.length > 0) this.#byId.set(session.id, others);
    else {
      this.#byId.delete(session.id);
      this.#keepOrder(session.id, session.order);
    }
  }

  /** Keeps an order until its calls are answered: a restore that arrives meanwhile waits for them. */
  #keepOrder(id: string, order: CallOrder): void {
    if (order.isIdle) return;
    this.#orders.set(id, order);
    order.onIdle = () => this.#orders.delete(id);
  }
}
