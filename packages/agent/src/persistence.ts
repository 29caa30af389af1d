import type { ConfigOption, ListSessions, SessionPage, SessionState, StateLimits } from "@turnkit/session";
import type { Calls } from "@turnkit/session/codec";
import { RpcError } from "@turnkit/transport";
import { folderOf } from "./absolute-path.js";
import type { AgentHandlers, RestoreSession, SessionSetup, SetupAnswer } from "./agent-handlers.js";
import type { ClientCall } from "./client-call.js";
import { foldEvents } from "./compact-events.js";
import { readConfigValue } from "./config-value.js";
import { DraftWriter, isOnlyRead, Journal, type UnmadeChoice } from "./journal.js";
import type { LiveSession } from "./live-session.js";
import { chooseValue } from "./option-choice.js";
import { recordPast, replayPast, settled } from "./replay-past.js";
import { DEFAULT_DATA_VERSION, storedData } from "./session-data.js";
import { isSessionLogError, type SessionKeeper, type SessionLog } from "./session-log.js";
import { unlessError } from "./thrown-error.js";

type Lists = Calls["loadSession"]["result"];

/**
 * Creates the part of the runtime that restores the sessions of a log. Every {@link SessionLog} has this function as its
 * `keep`. A bundle without a log therefore does not contain this code.
 */
export const keepSessions: SessionKeeper = (log, handlers, limits) =>
  new Persistence(log, handlers as AgentHandlers<unknown>, limits);

/** Part of the runtime that stores and restores the sessions of an agent's log. */
export class Persistence<S> {
  readonly #log: SessionLog;
  readonly #handlers: AgentHandlers<S>;
  readonly #limits: Partial<StateLimits>;

  constructor(log: SessionLog, handlers: AgentHandlers<S>, limits: Partial<StateLimits>) {
    this.#log = log;
    this.#handlers = handlers;
    this.#limits = limits;
  }

  /** Stores a new session before the client gets the answer. Deletes the session again if its setup fails. */
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
   * Checks whether a restore can succeed. The open session is not changed, so it can go on after a refusal.
   *
   * @throws RpcError `-32602` for another `cwd`
   * @throws RpcError `-32002` for a session that was deleted
   * @throws the error of a log that cannot be read
   */
  async check({ id, cwd }: LiveSession<S>, request: RestoreSession): Promise<void> {
    checkFolder({ sessionId: id, cwd }, request.cwd);
    await refused(id, async () => {
      for await (const _ of this.#log.read(id));
    });
  }

  /**
   * Restores a session. The log provides the history. The agent's handlers provide data, lists and connections.
   *
   * A session that is only read may be open elsewhere.
   *
   * `lender` is the open session of this id. The restored session takes over the log of `lender`, unless the restore fails.
   *
   * @throws RpcError `-32002` for a session that is not stored
   * @throws RpcError `-32600` for a session that another connection has open
   * @throws RpcError `-32602` for another `cwd`
   */
  async restore(
    session: LiveSession<S>,
    request: RestoreSession,
    {
      call,
      lender,
      done,
    }: {
      readonly call: ClientCall;
      readonly lender: LiveSession<S> | undefined;
      /** Throws an error if the restore was refused in the meantime. */
      readonly done: () => void;
    },
  ): Promise<{ readonly lists: Lists; readonly past: SessionState }> {
    const { id } = session;
    const lent = lender?.output.journal;
    const journal = lent ?? (await this.#openJournal(session, request));
    const giveUp = async (): Promise<void> => {
      session.output.journal = undefined;
      if (lent === undefined) await journal.close();
    };
    try {
      const { data, keys, ...stored } = await refused(id, () => foldEvents(this.#log.read(id), this.#limits));
      const past = settled(stored.state);
      session.output.mustBeOpen();
      lent?.resume();
      checkFolder(past, request.cwd);
      if (request.replay) await replayPast(session, { state: past, children: stored.children });
      else await recordPast(session, past);
      // The replay may have failed.
      session.output.mustBeOpen();
      const draft = new DraftWriter(journal.maxEventBytes);
      session.output.journal = this.#journal(session, draft);
      const choices = this.#choicesOf(past);
      session.output.journal.keepChoices(choices);
      // Updates of the handler are held, and dropped if the restore is refused. The caller releases them.
      session.output.outbox.hold("restore");
      session.dataWasStored(data);
      const setup = await this.#setUp(session, { ...request, replay: false, ...storedData(data) }, { past, call });
      const lists = session.setUp(setup);
      done();
      // A session that was closed during its restore stores nothing, and `closeSession` cleans it up.
      if (session.output.isClosed) {
        await giveUp();
        return { lists, past };
      }
      session.keys.restore(keys, request.replay);
      journal.keepChoices(choices);
      for (const event of draft.events) journal.append(event);
      session.output.journal = journal;
      if (lender !== undefined) lender.output.journal = undefined;
      return { lists, past };
    } catch (error) {
      await giveUp();
      throw error;
    }
  }

  /**
   * Chooses the user's earlier values again. A value that the option no longer has is left out. Does nothing for an agent
   * with a `restoreSession` handler.
   */
  async choose(session: LiveSession<S>, past: SessionState): Promise<Lists["configOptions"]> {
    const choices = this.#choicesOf(past);
    const unmade = new Map<string, UnmadeChoice>();
    for (const option of session.state.configOptions ?? []) {
      const { configId } = option;
      const choice = choices.get(configId);
      if (choice === undefined || choice.value === session.configValue(configId)) continue;
      if (!isChoice(option, choice.value)) continue;
      try {
        await chooseValue(session, { configId, value: choice.value }, this.#handlers);
      } catch (error) {
        // The value of `newSession` stays. The next restore tries the user's choice again.
        unmade.set(configId, { value: choice.value, instead: session.configValue(configId) });
        const message = `The stored value of option ${configId} could not be chosen again.`;
        session.output.onFault(message, error, "listener_failed");
      }
    }
    // The log of a session that was closed during its restore keeps all choices.
    if (choices.size > 0 && !session.output.isClosed) session.output.journal?.keepChoices(unmade);
    return session.state.configOptions;
  }

  /**
   * Returns the stored values that the runtime sets again. Returns none if the agent has `restoreSession`, because that
   * handler sets them.
   */
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

  /** Runs `restoreSession` or, if the agent has none, `newSession`. The log already has the updates of `newSession`. */
  async #setUp(
    session: LiveSession<S>,
    request: RestoreSession,
    { past, call }: { readonly past: SessionState; readonly call: ClientCall },
  ): Promise<SetupAnswer<S>> {
    const { sessionId, replay: _, data, dataVersion: stored, isDataOutdated: _o, ...place } = request;
    const { dataVersion: current = DEFAULT_DATA_VERSION } = this.#handlers;
    if (this.#handlers.restoreSession === undefined) {
      const setup = await session.output.repeat(async () =>
        unlessError(await this.#handlers.newSession?.(place, session, call)),
      );
      if (stored === undefined) return setup as SetupAnswer<S>;
      if (stored === current) return { ...setup, data } as SetupAnswer<S>;
      const message = `Stored data of version ${stored} was not used, because the agent has version ${current} and no restoreSession.`;
      session.output.onFault(message, undefined, "log_failed");
      if ((setup as SessionSetup<unknown> | undefined)?.data === undefined) session.keepStoredData();
      return setup as SetupAnswer<S>;
    }
    const { configOptions, availableCommands } = past;
    const lists = { ...(configOptions && { configOptions }), ...(availableCommands && { availableCommands }) };
    session.output.record({ type: "session_opened", sessionId, ...lists });
    const setup = unlessError(await this.#handlers.restoreSession(request, session));
    const isKept = stored !== undefined && (setup == null || !("data" in setup));
    return { ...lists, ...setup, ...(isKept && this.#keptData(session, data, { stored, current })) } as SetupAnswer<S>;
  }

  /**
   * Returns the stored data if `restoreSession` returned no data. Without this data, the next turn would replace the
   * stored data.
   *
   * @throws TypeError for data of another version, which the agent cannot use unchanged
   */
  #keptData(
    session: LiveSession<S>,
    data: unknown,
    { stored, current }: { readonly stored: number; readonly current: number },
  ): { readonly data: unknown } {
    const message = "restoreSession returned no data for a session with stored data";
    const remedy = "Return { data: request.data }, or { data: undefined } to remove the stored data.";
    if (stored !== current) throw new TypeError(`${message} of version ${stored}; the agent has ${current}. ${remedy}`);
    session.output.onFault(`${message}, so session.data is the stored data. ${remedy}`, undefined, "handler_failed");
    return { data };
  }

  /** Opens the log of a restored session. A session that is only read needs no writer, so it may be open elsewhere. */
  async #openJournal(session: LiveSession<S>, request: RestoreSession): Promise<Journal> {
    if (isOnlyRead(request))
      return new Journal(new DraftWriter(Number.POSITIVE_INFINITY), session.output.onFault, true);
    return this.#journal(session, await refused(session.id, () => this.#log.open(session.id)));
  }

  #journal(session: LiveSession<S>, writer: ConstructorParameters<typeof Journal>[0]): Journal {
    return new Journal(writer, (message, error) => session.output.onFault(message, error, "log_failed"));
  }

  async #forget(session: LiveSession<S>): Promise<void> {
    try {
      await this.#log.delete(session.id);
    } catch (error) {
      session.output.onFault("A session that failed to open could not be deleted from the log.", error, "log_failed");
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

// V2-SES-14: relative paths keep their meaning.
/** @throws RpcError `-32602` if `asked` is not the folder of the session */
function checkFolder({ sessionId, cwd }: Pick<SessionState, "sessionId" | "cwd">, asked: string): void {
  if (cwd === undefined || folderOf(cwd) === folderOf(asked)) return;
  throw RpcError.invalidParams("cwd must be the folder in which the session was opened", { sessionId, cwd });
}

/** Runs work on the log. Errors of the log become errors for the client. */
async function refused<T>(sessionId: string | undefined, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (isSessionLogError(error, "not_found")) throw RpcError.resourceNotFound({ sessionId });
    if (isSessionLogError(error, "cursor"))
      throw RpcError.invalidParams("the cursor is unknown; begin the list again without a cursor");
    if (!isSessionLogError(error, "locked")) throw error;
    const { code, message } = RpcError.invalidRequest(
      "another connection or process has the session open; close the session there first",
    );
    throw new RpcError(code, message, { sessionId, problem: error.problem });
  }
}
