import type { ListSessions, SessionLists, SessionPage, SessionWorkspace } from "@turnkit/session";
import { type Connection, RpcError, textOf, withinGrace } from "@turnkit/transport";
import type { AgentHandlers } from "./agent-handlers.js";
import { CallOrder, createCallQuota } from "./call-order.js";
import type { ChildTable } from "./children.js";
import type { Driver } from "./driver/driver.js";
import { LiveSession } from "./live-session.js";
import { pageOfOpen } from "./open-sessions.js";
import { PromptKeys } from "./prompt-keys.js";
import type { Quota } from "./quota.js";
import { RemainingOrders } from "./remaining-orders.js";
import type { Hooks, ServeOptions } from "./serve-options.js";
import { createSessionQuota } from "./session-limits.js";
import { unlessError } from "./thrown-error.js";

/**
 * Longest wait for turns after the end of the connection, in ms. The process may be ending, and no client waits for the
 * turns.
 */
const DEATH_GRACE_MS = 1_000;

const CANCEL_GRACE_MS = 10_000;

/** Parts of a table of sessions. */
export type SessionTableParts<S> = {
  readonly handlers: AgentHandlers<S>;
  readonly options: ServeOptions;
  readonly hooks: Hooks;
  readonly connection: Connection;
  driver(): Driver;
};

/**
 * Sessions of one connection. Each session ends once.
 *
 * During a restore, an id has several sessions:
 *
 * - A restore adds a new session before the older sessions of its id.
 * - A restore that succeeds ends the older sessions.
 * - If a restore is refused, its session is removed, and the next older session continues.
 */
export class SessionTable<S> {
  readonly #parts: SessionTableParts<S>;
  readonly #cancelGraceMs: number;
  readonly #calls: Quota;
  /** Room for sessions. */
  readonly quota: Quota;
  /** Functions that free the room of each session. */
  readonly #leave = new Map<LiveSession<S>, () => void>();
  /**
   * Lists of sessions by id, the newest session first. A list contains the sessions that are opening, open or ending, and
   * is never empty.
   */
  readonly #byId = new Map<string, readonly LiveSession<S>[]>();
  /** Orders of calls for ids whose sessions were closed or are being deleted. */
  readonly #orders = new RemainingOrders();
  /** Serial number of the newest session. */
  #serial = 0;
  /** True once the agent closes the connection. From then on, no turn begins. */
  isEnding = false;

  constructor(parts: SessionTableParts<S>) {
    this.#parts = parts;
    const { limits = {} } = parts.options;
    this.#calls = createCallQuota(limits);
    this.quota = createSessionQuota(limits);
    this.#cancelGraceMs = parts.options.cancelGraceMs ?? CANCEL_GRACE_MS;
  }

  /** Child sessions of the connection, by id. */
  readonly children: ChildTable = new Map();

  /** True if the agent has a `closeSession` handler. */
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
   * Returns the newest session of an id. Sessions of other connections are not found.
   *
   * @throws RpcError `-32002` if the id has no session
   */
  get(sessionId: string): LiveSession<S> {
    const session = this.find(sessionId);
    if (session === undefined) throw RpcError.resourceNotFound({ sessionId });
    return session;
  }

  /**
   * Returns the session that gets the calls for `asked`. If the restore of `asked` was refused, an older session gets them.
   */
  current(asked: LiveSession<S>): LiveSession<S> {
    return this.all(asked.id).find(({ number }) => number <= asked.number) ?? asked;
  }

  /** Returns the session that the restore of `session` replaces, or `undefined` if it replaces none. */
  before({ id, number }: LiveSession<S>): LiveSession<S> | undefined {
    return this.all(id).find((other) => other.number < number);
  }

  /** Returns true if another restore of the same id was received in the meantime, and sends a replay from the log. */
  isReplayedNext({ id, number }: LiveSession<S>): boolean {
    return this.all(id).findLast((other) => other.number > number)?.output.outbox.sendsReplay === true;
  }

  /** Returns the order of calls for an id that has sessions or is being deleted. */
  orderOf(sessionId: string): CallOrder | undefined {
    return this.find(sessionId)?.order ?? this.#orders.get(sessionId);
  }

  /** Runs a deletion. Until its answer, calls for the same id join the order of the deletion. */
  whileDeleting<T>(sessionId: string, work: (order: CallOrder) => Promise<T>): Promise<T> {
    const order = this.orderOf(sessionId) ?? new CallOrder(this.#calls);
    const done = work(order);
    this.#orders.keep(sessionId, order);
    return done;
  }

  /**
   * Returns a page of the sessions that the client can prompt now, the oldest first.
   *
   * @throws RpcError `-32602` for a cursor that this connection did not return
   */
  page(request: ListSessions): SessionPage {
    const open = [...this.#byId.values()].flatMap(
      (sessions) => sessions.find(({ wasOpened, output }) => wasOpened && !output.isClosed) ?? [],
    );
    return pageOfOpen(open, this.#serial, request);
  }

  /**
   * Adds a new session before the older sessions of its id. `bytes` is the size of its request.
   *
   * @throws RpcError `-32603` above the bounds of open sessions
   */
  create(id: string, workspace: SessionWorkspace, bytes: number): LiveSession<S> {
    const leave = this.quota.take(bytes);
    const { handlers, options, hooks, connection } = this.#parts;
    const driver = this.#parts.driver();
    this.#serial += 1;
    const session = new LiveSession<S>({
      id,
      number: this.#serial,
      workspace,
      connection,
      driver,
      handlers,
      cancelGraceMs: this.#cancelGraceMs,
      order: this.orderOf(id),
      keys: this.find(id)?.keys ?? new PromptKeys(id),
      calls: this.#calls,
      childParts: {
        connection,
        limits: options.limits ?? {},
        cancelGraceMs: this.#cancelGraceMs,
        table: this.children,
        report: hooks.report,
        lost: hooks.lost,
      },
      limits: options.limits ?? {},
      encode: driver.createEncoder((loss) => hooks.lost(loss, id)),
      onFault: (message, error, code = "outgoing_invalid") => hooks.report({ code, message, sessionId: id, error }),
    });
    this.#byId.set(id, [session, ...this.all(id)]);
    this.#leave.set(session, leave);
    return session;
  }

  /** Sets up a session. After a failure, the session is removed, and the older session of its id continues. */
  async open(session: LiveSession<S>, setUp: () => Promise<SessionLists>): Promise<SessionLists> {
    let lists: SessionLists;
    try {
      lists = await setUp();
    } catch (error) {
      session.output.close();
      session.opening.resolve(false);
      this.#remove(session);
      const current = this.current(session);
      // The prompts for the removed session arrived after the request for the restore.
      if (current !== session && !current.output.isClosed) current.prompts.adopt(session.prompts);
      throw error;
    }
    session.wasOpened = true;
    session.opening.resolve(true);
    // At the end of the connection, `endAll` cleans up after the handler.
    session.output.mustBeOpen();
    return lists;
  }

  /** Sends the held updates, and the commands if the answer could not contain them. Call it after the answer. */
  announce(session: LiveSession<S>, { availableCommands }: SessionLists): void {
    // The answer may be a refusal now. The client then has no session.
    if (this.isEnding) return;
    session.output.outbox.release("opening");
    if (availableCommands == null || session.driver.dialect.commandsInAnswers) return;
    try {
      session.emit({ type: "available_commands_update", availableCommands: session.state.availableCommands ?? [] });
    } catch (error) {
      session.output.onFault("The commands of a session could not be sent.", error);
    }
  }

  /** Ends a session when its cancelled turns have ended. Runs `closeSession`. Never rejects. */
  end(session: LiveSession<S>): Promise<void> {
    session.ended ??= this.#end(session);
    return session.ended;
  }

  /** Ends every turn with an answer to its prompt, then closes the output of every session. */
  async cancelAll(graceMs = this.#cancelGraceMs): Promise<void> {
    this.isEnding = true;
    const ends = this.#sessions.map(async (session) => {
      session.prompts.cancelAll(graceMs);
      await session.prompts.idle();
      session.openChildren?.close();
      session.output.close();
    });
    await Promise.all(ends);
  }

  /** Ends every session after the end of the connection. Waits for them and for deletions, at most the grace time. */
  async endAll(): Promise<void> {
    const deletions = this.#orders.abandon();
    for (const session of this.#sessions) session.abandon(Math.min(DEATH_GRACE_MS, this.#cancelGraceMs));
    const ends = this.#sessions.map((session) => this.end(session));
    await withinGrace(Promise.all([deletions, ...ends]), this.#cancelGraceMs);
  }

  async #end(session: LiveSession<S>): Promise<void> {
    await session.prompts.idle();
    session.openChildren?.close();
    session.output.close();
    if (await session.opening.promise) {
      // The data is stored before the clean-up, because the clean-up may empty it.
      session.storeData();
      await this.#cleanUp(session);
    }
    await session.output.journal?.close();
    this.#remove(session);
  }

  async #cleanUp(session: LiveSession<S>): Promise<void> {
    try {
      unlessError(await this.#parts.handlers.closeSession?.(session));
    } catch (error) {
      session.output.onFault(`closeSession failed: ${textOf(error)}`, error, "listener_failed");
    }
  }

  get #sessions(): readonly LiveSession<S>[] {
    return [...this.#byId.values()].flat();
  }

  #remove(session: LiveSession<S>): void {
    this.#leave.get(session)?.();
    this.#leave.delete(session);
    const others = this.all(session.id).filter((other) => other !== session);
    if (others.length > 0) this.#byId.set(session.id, others);
    else {
      this.#byId.delete(session.id);
      this.#orders.keep(session.id, session.order);
    }
  }
}
