import { reduce, type SessionState, type StateLimits } from "@turnkit/session";
import type { Calls } from "@turnkit/session/codec";
import { isAcpError, RpcError } from "@turnkit/transport";
import type { AgentHandlers, ListSessions, RestoreSession, SessionPage, SetupAnswer } from "./agent-handlers.js";
import type { ClientCall } from "./client-call.js";
import { foldEvents } from "./compact-events.js";
import { readConfigValue } from "./config-value.js";
import { Journal } from "./journal.js";
import type { LiveSession } from "./live-session.js";
import { joinedEvents } from "./replay.js";
import { isSessionLogError, type SessionLog } from "./session-log.js";

type Lists = Calls["loadSession"]["result"];

/** Makes what an agent's runtime does with a log. */
export type SessionKeeper = <S>(
  log: SessionLog,
  handlers: AgentHandlers<S>,
  limits: Partial<StateLimits>,
) => Persistence<S>;

/** The `keep` of every {@link SessionLog}: an agent without a log has nothing of it in its bundle. */
export const keepSessions: SessionKeeper = (log, handlers, limits) => new Persistence(log, handlers, limits);

/** The sessions that an agent's log keeps, as its runtime uses them. */
export class Persistence<S> {
  readonly #log: SessionLog;
  readonly #handlers: AgentHandlers<S>;
  readonly #limits: Partial<StateLimits>;

  constructor(log: SessionLog, handlers: AgentHandlers<S>, limits: Partial<StateLimits>) {
    this.#log = log;
    this.#handlers = handlers;
    this.#limits = limits;
  }

  /** Stores a new session before its client learns of it; one that fails to open is forgotten. */
  async create(session: LiveSession<S>, setUp: () => Promise<Lists>): Promise<Lists> {
    const { sessionId, title: _, updatedAt: __, ...info } = session.describe();
    const writer = await refused(sessionId, () => this.#log.open(sessionId, { sessionId, ...info }));
    session.journal = this.#journal(session, writer);
    try {
      return await setUp();
    } catch (error) {
      await session.journal.close();
      await this.#forget(session);
      throw error;
    }
  }

  /**
   * Refuses what can be refused while the session is open and goes on.
   *
   * @throws RpcError `-32602` for another `cwd`, `-32002` for one that was deleted; what the log throws that cannot be read
   */
  async check({ id, cwd }: LiveSession<S>, request: RestoreSession): Promise<void> {
    checkFolder({ sessionId: id, cwd }, request.cwd);
    await refused(id, async () => {
      for await (const _ of this.#log.read(id));
    });
  }

  /**
   * Brings a session back: what was said, by the log; its data, lists and connections, by the agent's handlers.
   *
   * `lender` is the session of this id that is open here: it gives its log away, unless this fails.
   *
   * @throws RpcError `-32002` for one that is not stored, `-32600` for one that somebody has open, `-32602` for another `cwd`
   */
  async restore(
    session: LiveSession<S>,
    request: RestoreSession,
    { call, lender }: { readonly call: ClientCall; readonly lender: LiveSession<S> | undefined },
  ): Promise<{ readonly lists: Lists; readonly past: SessionState }> {
    const { id } = session;
    const lent = lender?.journal;
    const journal = lent ?? this.#journal(session, await refused(id, () => this.#log.open(id)));
    try {
      const past = settled(await refused(id, () => foldEvents(this.#log.read(id), this.#limits)));
      checkFolder(past, request.cwd);
      await tellAgain(session, past, request.replay);
      session.journal = journal;
      const setup = await this.#setUp(session, { ...request, replay: false }, { past, call });
      // In here, since a log that cannot take it must not stay open.
      const lists = session.setUp(setup);
      if (lender !== undefined) lender.journal = undefined;
      return { lists, past };
    } catch (error) {
      session.journal = undefined;
      if (lent === undefined) await journal.close();
      throw error;
    }
  }

  /** What the user chose before is chosen again, where it still can be, unless the agent restores by itself. */
  async choose(session: LiveSession<S>, past: SessionState): Promise<Lists["configOptions"]> {
    const known = new Map(past.configOptions?.map((option) => [option.configId, option]));
    const options = this.#handlers.restoreSession === undefined ? (session.state.configOptions ?? []) : [];
    for (const option of options) {
      const { configId } = option;
      const before = known.get(configId);
      if (before === undefined || !("currentValue" in before)) continue;
      if (before.currentValue === session.configValue(configId)) continue;
      try {
        const value = readConfigValue(option, before.currentValue as string | boolean, { booleanOptions: true });
        await this.#handlers.setConfigOption?.(session, configId, value);
        session.setValue(configId, value);
      } catch {
        // It is no choice any more: what the handler gave stays.
      }
    }
    return session.state.configOptions;
  }

  list(request: ListSessions): Promise<SessionPage> {
    return refused(undefined, () => this.#log.list(request));
  }

  delete(sessionId: string): Promise<void> {
    return refused(sessionId, () => this.#log.delete(sessionId));
  }

  /** Without a handler of its own for that, a session begins anew, silently: the log has what was said at its beginning. */
  async #setUp(
    session: LiveSession<S>,
    request: RestoreSession,
    { past, call }: { readonly past: SessionState; readonly call: ClientCall },
  ): Promise<SetupAnswer<S>> {
    const { sessionId, replay: _, ...place } = request;
    if (this.#handlers.restoreSession === undefined) {
      return session.repeat(() => this.#handlers.newSession(place, session, call));
    }
    const { configOptions, availableCommands } = past;
    const lists = { ...(configOptions && { configOptions }), ...(availableCommands && { availableCommands }) };
    session.record({ type: "session_opened", sessionId, ...lists });
    return { ...lists, ...(await this.#handlers.restoreSession(request, session)) } as SetupAnswer<S>;
  }

  #journal(session: LiveSession<S>, writer: ConstructorParameters<typeof Journal>[0]): Journal {
    return new Journal(writer, (message, error) => session.onFault(message, error, "log_failed"));
  }

  async #forget(session: LiveSession<S>): Promise<void> {
    try {
      await this.#log.delete(session.id);
    } catch (error) {
      session.onFault("A session that failed to open could not be forgotten.", error, "log_failed");
    }
  }
}

/** What was going on when the session was closed, or its agent died, is over. */
function settled(past: SessionState): SessionState {
  let state = past;
  for (const entry of past.timeline) {
    if (entry.type !== "tool_call" || final.has(entry.status)) continue;
    state = reduce(state, { type: "tool_call_update", toolCallId: entry.toolCallId, status: "cancelled" });
  }
  for (const { terminalId, exitStatus } of past.terminals) {
    if (exitStatus === undefined) state = reduce(state, { type: "terminal_update", terminalId, exitStatus: {} });
  }
  return state;
}

const final: ReadonlySet<string> = new Set(["completed", "failed", "cancelled"]);

/** Folds the past into the session; a client that wants it hears it, at its own pace, any other only what it used. */
async function tellAgain<S>(session: LiveSession<S>, past: SessionState, replay: boolean): Promise<void> {
  /** Tool calls of which no more content fits into an update of the dialect. */
  const full = new Set<unknown>();
  for (const event of joinedEvents(past)) {
    if (!replay && event.type !== "usage_update") {
      session.record(event);
      continue;
    }
    const grown = event.type === "tool_call_content_chunk" ? event.toolCallId : undefined;
    if (grown !== undefined && full.has(grown)) continue;
    try {
      await session.emit(event);
    } catch (error) {
      if (!isAcpError(error, "too_large")) throw error;
      if (grown !== undefined) full.add(grown);
      session.onFault(`A ${event.type} of a stored session is too large to be told, and was left out.`, error);
    }
  }
}

/** Paths that were said mean what they meant (V2-SES-14). */
function checkFolder({ sessionId, cwd }: Pick<SessionState, "sessionId" | "cwd">, asked: string): void {
  if (cwd === undefined || folderOf(cwd) === folderOf(asked)) return;
  throw RpcError.invalidParams("cwd is the folder in which the session was opened", { sessionId, cwd });
}

/** A path as folders are compared: of one with a drive, programs write the letter and the slashes as they like. */
function folderOf(path: string): string {
  const folder = path.replace(/(?<=.)[\\/]+$/, "");
  if (!/^[a-z]:/i.test(folder)) return folder;
  return folder.charAt(0).toUpperCase() + folder.slice(1).replaceAll("/", "\\");
}

/** What a log refuses, as the client is told it. */
async function refused<T>(sessionId: string | undefined, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (isSessionLogError(error, "not_found")) throw RpcError.resourceNotFound({ sessionId });
    if (isSessionLogError(error, "cursor")) throw RpcError.invalidParams("there is no such cursor");
    if (!isSessionLogError(error, "locked")) throw error;
    const { code, message } = RpcError.invalidRequest("the session is open elsewhere");
    throw new RpcError(code, message, { sessionId, problem: error.problem });
  }
}
