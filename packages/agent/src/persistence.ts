import {
  type ConfigOption,
  type ListSessions,
  reduce,
  type SessionPage,
  type SessionState,
  type StateLimits,
} from "@turnkit/session";
import type { Calls } from "@turnkit/session/codec";
import { isAcpError, RpcError } from "@turnkit/transport";
import type { AgentHandlers, RestoreSession, SetupAnswer } from "./agent-handlers.js";
import type { ClientCall } from "./client-call.js";
import { foldEvents } from "./compact-events.js";
import { readConfigValue } from "./config-value.js";
import { DraftWriter, Journal, type UnmadeChoice } from "./journal.js";
import type { LiveSession } from "./live-session.js";
import { joinedEvents } from "./replay.js";
import { DEFAULT_DATA_VERSION, storedData } from "./session-data.js";
import { isSessionLogError, type SessionKeeper, type SessionLog } from "./session-log.js";
import { isFinalStatus } from "./tool-call.js";

type Lists = Calls["loadSession"]["result"];

/** Restores the sessions of a log. The `keep` of every {@link SessionLog}: an agent without a log does not bundle it. */
export const keepSessions: SessionKeeper = (log, handlers, limits) =>
  new Persistence(log, handlers as AgentHandlers<unknown>, limits);

/** Sessions of an agent's log, as its runtime stores and restores them. */
export class Persistence<S> {
  readonly #log: SessionLog;
  readonly #handlers: AgentHandlers<S>;
  readonly #limits: Partial<StateLimits>;

  constructor(log: SessionLog, handlers: AgentHandlers<S>, limits: Partial<StateLimits>) {
    this.#log = log;
    this.#handlers = handlers;
    this.#limits = limits;
  }

  /** Stores a new session before its client is answered. A session that fails to open is deleted. */
  async create(session: LiveSession<S>, setUp: () => Promise<Lists>): Promise<Lists> {
    const writer = await refused(session.id, () => this.#log.open(session.id, session.describe()));
    session.output.journal = this.#journal(session, writer);
    try {
      return await setUp();
    } catch (error) {
      await session.output.journal.close();
      await this.#forget(session);
      throw error;
    }
  }

  /**
   * Refuses a restore while the open session can still go on.
   *
   * @throws RpcError `-32602` for another `cwd`, `-32002` for a session that was deleted; the error of a log that cannot be read
   */
  async check({ id, cwd }: LiveSession<S>, request: RestoreSession): Promise<void> {
    checkFolder({ sessionId: id, cwd }, request.cwd);
    await refused(id, async () => {
      for await (const _ of this.#log.read(id));
    });
  }

  /**
   * Restores a session: its history from the log, its data, lists and connections from the agent's handlers.
   *
   * `lender` is the open session of this id. It hands over its log, unless the restore fails.
   *
   * @throws RpcError `-32002` for a session that is not stored, `-32600` for one that is open elsewhere, `-32602` for another
   * `cwd`
   */
  async restore(
    session: LiveSession<S>,
    request: RestoreSession,
    { call, lender }: { readonly call: ClientCall; readonly lender: LiveSession<S> | undefined },
  ): Promise<{ readonly lists: Lists; readonly past: SessionState }> {
    const { id } = session;
    const lent = lender?.output.journal;
    const journal = lent ?? this.#journal(session, await refused(id, () => this.#log.open(id)));
    try {
      const { state, data } = await refused(id, () => foldEvents(this.#log.read(id), this.#limits));
      const past = settled(state);
      lent?.resume();
      checkFolder(past, request.cwd);
      await replayPast(session, past, request.replay);
      const draft = new DraftWriter(journal.maxEventBytes);
      session.output.journal = this.#journal(session, draft);
      const choices = this.#choicesOf(past);
      session.output.journal.keepChoices(choices);
      // A refused restore stores and sends nothing but the replay. The caller releases the updates.
      session.output.outbox.hold("send");
      session.dataWasStored(data);
      const setup = await this.#setUp(session, { ...request, replay: false, ...storedData(data) }, { past, call });
      const lists = session.setUp(setup);
      // The restore of a session that was closed meanwhile is refused, too.
      if (!session.output.isClosed) {
        journal.keepChoices(choices);
        for (const event of draft.events) journal.append(event);
      }
      session.output.journal = journal;
      if (lender !== undefined) lender.output.journal = undefined;
      return { lists, past };
    } catch (error) {
      session.output.journal = undefined;
      if (lent === undefined) await journal.close();
      throw error;
    }
  }

  /** Chooses the user's earlier values again, unless the option has lost the value or the agent has a `restoreSession`. */
  async choose(
    session: LiveSession<S>,
    past: SessionState,
    setValue: (configId: string, value: string | boolean) => Promise<void>,
  ): Promise<Lists["configOptions"]> {
    const choices = this.#choicesOf(past);
    const unmade = new Map<string, UnmadeChoice>();
    for (const option of session.state.configOptions ?? []) {
      const { configId } = option;
      const choice = choices.get(configId);
      if (choice === undefined || choice.value === session.configValue(configId)) continue;
      if (!isChoice(option, choice.value)) continue;
      try {
        await setValue(configId, choice.value);
      } catch (error) {
        // The value of `newSession` stays, and the next restore tries again.
        unmade.set(configId, { value: choice.value, instead: session.configValue(configId) });
        const message = `The stored value of option ${configId} could not be chosen again.`;
        session.output.onFault(message, error, "listener_failed");
      }
    }
    // A session that was closed meanwhile keeps all choices.
    if (choices.size > 0 && !session.output.isClosed) session.output.journal?.keepChoices(unmade);
    return session.state.configOptions;
  }

  /** Returns the stored values to choose again. An agent with a `restoreSession` does that itself. */
  #choicesOf(past: SessionState): ReadonlyMap<string, UnmadeChoice> {
    const choices = new Map<string, UnmadeChoice>();
    if (this.#handlers.restoreSession !== undefined) return choices;
    for (const option of past.configOptions ?? []) {
      if ("currentValue" in option) choices.set(option.configId, { value: option.currentValue as string | boolean });
    }
    return choices;
  }

  list(request: ListSessions): Promise<SessionPage> {
    return refused(undefined, () => this.#log.list(request));
  }

  delete(sessionId: string): Promise<void> {
    return refused(sessionId, () => this.#log.delete(sessionId));
  }

  /** Runs `restoreSession`; without that handler `newSession`, whose updates the log has already. */
  async #setUp(
    session: LiveSession<S>,
    request: RestoreSession,
    { past, call }: { readonly past: SessionState; readonly call: ClientCall },
  ): Promise<SetupAnswer<S>> {
    const { sessionId, replay: _, data, dataVersion: stored, isDataOutdated: _o, ...place } = request;
    if (this.#handlers.restoreSession === undefined) {
      const setup = await session.output.repeat(async () => this.#handlers.newSession?.(place, session, call));
      if (stored === undefined) return setup as SetupAnswer<S>;
      const { dataVersion: current = DEFAULT_DATA_VERSION } = this.#handlers;
      if (stored === current) return { ...setup, data } as SetupAnswer<S>;
      const message = `Stored data of version ${stored} was not used: the agent has version ${current}, and no restoreSession.`;
      session.output.onFault(message, undefined, "log_failed");
      return setup as SetupAnswer<S>;
    }
    const { configOptions, availableCommands } = past;
    const lists = { ...(configOptions && { configOptions }), ...(availableCommands && { availableCommands }) };
    session.output.record({ type: "session_opened", sessionId, ...lists });
    return { ...lists, ...(await this.#handlers.restoreSession(request, session)) } as SetupAnswer<S>;
  }

  #journal(session: LiveSession<S>, writer: ConstructorParameters<typeof Journal>[0]): Journal {
    return new Journal(writer, (message, error) => session.output.onFault(message, error, "log_failed"));
  }

  async #forget(session: LiveSession<S>): Promise<void> {
    try {
      await this.#log.delete(session.id);
    } catch (error) {
      session.output.onFault("A session that failed to open could not be forgotten.", error, "log_failed");
    }
  }
}

function isChoice(option: ConfigOption, value: string | boolean): boolean {
  try {
    return readConfigValue(option, value, { booleanOptions: true }) === value;
  } catch {
    return false;
  }
}

/** Returns a state in which unfinished tool calls are cancelled and terminals have exited. */
function settled(past: SessionState): SessionState {
  let state = past;
  for (const entry of past.timeline) {
    if (entry.type !== "tool_call" || isFinalStatus(entry.status)) continue;
    state = reduce(state, { type: "tool_call_update", toolCallId: entry.toolCallId, status: "cancelled" });
  }
  for (const { terminalId, exitStatus } of past.terminals) {
    if (exitStatus === undefined) state = reduce(state, { type: "terminal_update", terminalId, exitStatus: {} });
  }
  return state;
}

/** Folds a past state into a session. With `replay` the client gets it at its own pace, otherwise its usage alone. */
async function replayPast<S>(session: LiveSession<S>, past: SessionState, replay: boolean): Promise<void> {
  /** Tool calls whose content fits into no more updates of the dialect. */
  const full = new Set<unknown>();
  for (const event of joinedEvents(past)) {
    if (!replay && event.type !== "usage_update") {
      session.output.record(event);
      continue;
    }
    const grown = event.type === "tool_call_content_chunk" ? event.toolCallId : undefined;
    if (grown !== undefined && full.has(grown)) continue;
    try {
      await session.emit(event);
    } catch (error) {
      if (!isAcpError(error, "too_large")) throw error;
      if (grown !== undefined) full.add(grown);
      session.output.onFault(`A ${event.type} of a stored session is too large to be told, and was left out.`, error);
    }
  }
}

// V2-SES-14: relative paths keep their meaning.
/** @throws RpcError `-32602` for a folder other than the session's */
function checkFolder({ sessionId, cwd }: Pick<SessionState, "sessionId" | "cwd">, asked: string): void {
  if (cwd === undefined || folderOf(cwd) === folderOf(asked)) return;
  throw RpcError.invalidParams("cwd is the folder in which the session was opened", { sessionId, cwd });
}

/** Returns a path in the form that is compared: programs write drive letters and slashes differently. */
function folderOf(path: string): string {
  const folder = path.replace(/(?<=.)[\\/]+$/, "");
  if (!/^[a-z]:/i.test(folder)) return folder;
  return folder.charAt(0).toUpperCase() + folder.slice(1).replaceAll("/", "\\");
}

/** Runs work on the log and translates its refusals into errors for the client. */
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
