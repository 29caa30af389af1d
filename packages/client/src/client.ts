import type { SessionInfo, SessionWorkspace } from "@turnkit/session";
import {
  asSentence,
  type CloseReason,
  type Connection,
  closeText,
  type Diagnostic,
  type RequestOptions,
} from "@turnkit/transport";
import { checkCustomCall, checkFilter, checkId, checkListener, mustBeWhole } from "./check-arguments.js";
import type { ClientOptions } from "./client-options.js";
import type { Driver, Peer } from "./driver/driver.js";
import { hasKeys } from "./driver/send-prompt.js";
import { LiveSession } from "./live-session.js";
import { outcomeUnknown } from "./outcome-unknown.js";
import { reportSilence } from "./report-silence.js";
import { type RestoreOutcome, restore } from "./restore.js";
import type { EventListener, Session } from "./session.js";
import { sessionPages, withoutLength } from "./session-pages.js";
import type { SessionTable } from "./session-table.js";
import { reportMembers } from "./unused-options.js";
import { workspaceOf } from "./workspace-of.js";

/** Filter of a list of sessions. Without a filter, the list contains all sessions. */
export type SessionFilter = {
  /** Absolute path of a folder. Selects the sessions of exactly this folder. */
  readonly cwd?: string;
};

/** Connection to one agent, after client and agent agreed on a version. */
export interface Client extends AsyncDisposable {
  /** Identity, dialect and capabilities of the agent. */
  readonly peer: Peer;
  /**
   * True if prompts are sent with idempotency keys. False in version 1 and seed, which have no keys, and with
   * `promptKeys: false`. Do not send a prompt again on such a connection, because the agent may do its work twice.
   */
  readonly sendsPromptKeys: boolean;
  /**
   * Opens a session. Settles at receipt of the agent's answer. `onEvent` gets every event, including updates that the agent
   * sent before its answer.
   *
   * @throws InvalidMessageError for a path that is not absolute
   * @throws CapabilityError for directories, MCP servers or a system prompt that the agent does not accept
   * @throws RpcError if the agent refuses; after `-32000`, call `login` first
   */
  newSession(request: SessionWorkspace, onEvent?: EventListener): Promise<Session>;
  /**
   * Restores a session. The outcome states whether the agent replayed the earlier conversation. If there is no session, the
   * outcome states the reason. The promise settles when the state has the whole conversation and listeners have finished.
   *
   * A session object of the same id that is already open stays open until the agent's answer:
   *
   * - Before the answer, the open object gets its own updates and the agent's questions. Its prompts wait.
   * - After a failure, the open object continues.
   * - After a success, the new object replaces the open one in one step. Open questions move to the new object, and waiting
   *   prompts end as `cancelled`.
   *
   * Only `onEvent` gets the events of the replay, between `replay_started` and `replay_ended`.
   *
   * @throws InvalidMessageError for a path that is not absolute
   */
  restore(sessionId: string, request: SessionWorkspace, onEvent?: EventListener): Promise<RestoreOutcome>;
  /**
   * Yields the sessions of the agent, open or not, page by page. Listing changes no session. Errors are thrown by the loop.
   *
   * @throws CapabilityError if the agent cannot list sessions
   * @throws InvalidMessageError if the agent repeats a cursor, or sends more than 1 000 successive pages without a
   * session
   * @throws RpcError if the agent refuses; after `-32000`, call `login` first
   */
  listSessions(filter?: SessionFilter, signal?: AbortSignal): AsyncIterable<SessionInfo>;
  /**
   * Deletes a session from the agent's list. Succeeds for a session that the agent does not have.
   *
   * If a session object of this id is open, it ends with the agent's answer, and its turns end as `cancelled`. If the agent
   * refuses, the object continues.
   *
   * @throws CapabilityError if the agent cannot delete sessions
   * @throws RpcError if the agent refuses for another reason
   */
  deleteSession(sessionId: string): Promise<void>;
  /**
   * Logs in with a method of `peer.authMethods` of type `agent`. After the login, repeat the request that failed with
   * `-32000`. `signal` asks the agent to stop. For methods of type `terminal`, use `loginOnTerminal` of `./node`.
   *
   * @throws CapabilityError for a method that the agent did not offer, or of another type
   * @throws RpcError if the login failed
   */
  login(methodId: string, signal?: AbortSignal): Promise<void>;
  /**
   * Logs out. After the logout, new sessions may need a login, and open sessions may fail.
   *
   * @throws CapabilityError if the agent has no logout
   * @throws RpcError if the logout failed
   */
  logout(): Promise<void>;
  /**
   * Calls a custom method of the agent. The name of the method begins with `_`.
   *
   * @throws RpcError if the agent refuses; `-32601` if the agent does not have the method
   */
  request<R = unknown>(method: `_${string}`, params: object, options?: RequestOptions<R>): Promise<R>;
  /** Sends a custom notification to the agent. The name of the notification begins with `_`. */
  notify(method: `_${string}`, params: object): void;
  /**
   * Ends the connection, its sessions, and a launched agent. Settles like `closed`, but waits for running listeners and
   * loops for at most 250 ms, because they may await `close`.
   */
  close(): Promise<void>;
  /**
   * Settles when open calls were rejected and listeners have handled all received events, at most 5 s after the end of the
   * connection. Never rejects.
   *
   * If the other side ends the connection, and your program neither reads `closed` nor waits for a turn, the client reports
   * `connection_lost`.
   */
  readonly closed: Promise<CloseReason>;
}

/** Parts of a client. */
export type ClientParts = {
  readonly connection: Connection;
  readonly driver: Driver;
  readonly sessions: SessionTable;
  readonly options: ClientOptions;
  readonly report: (diagnostic: Diagnostic) => void;
};

/** Implementation of {@link Client} over a channel. */
export class ChannelClient implements Client {
  readonly peer: Peer;
  readonly sendsPromptKeys: boolean;
  readonly #parts: ClientParts;
  /** True if the end needs no report: the program has called `close` or read `closed`. */
  #knowsEnd = false;

  constructor(parts: ClientParts) {
    this.#parts = parts;
    this.peer = parts.driver.peer;
    this.sendsPromptKeys = hasKeys(parts);
  }

  get closed(): Promise<CloseReason> {
    this.#knowsEnd = true;
    return this.#parts.connection.closed;
  }

  /** Reports the loss of the connection if nothing else shows it to the program. Called before the turns end. */
  ended(reason: CloseReason): void {
    const isOwn = reason.kind === "local" && reason.cause === undefined;
    if (isOwn || this.#knowsEnd || this.#parts.sessions.all.some(({ queue }) => queue.isAwaited)) return;
    const text = `The connection was lost. ${asSentence(reason.message)} Await client.closed to learn of it.`;
    this.#parts.report({ code: "connection_lost", message: closeText({ ...reason, message: text }) });
  }

  async newSession(request: SessionWorkspace, onEvent?: EventListener): Promise<Session> {
    mustBeWhole(this, "client", "newSession");
    const { driver, sessions } = this.#parts;
    if (onEvent !== undefined) checkListener("newSession onEvent", onEvent);
    const workspace = workspaceOf("newSession", request);
    reportMembers("newSession", request, this.#parts.report);
    const opened: { session?: LiveSession } = {};
    const answer = sessions.during(() =>
      driver.call("newSession", workspace, {
        received: ({ sessionId, ...lists }) => {
          opened.session = this.#createSession(sessionId, workspace, onEvent);
          sessions.add(opened.session, lists);
        },
      }),
    );
    await reportSilence(answer, { method: "session/new", report: this.#parts.report });
    return opened.session as Session;
  }

  async restore(sessionId: string, request: SessionWorkspace, onEvent?: EventListener): Promise<RestoreOutcome> {
    const { driver, sessions } = this.#parts;
    checkId("restore", sessionId);
    if (onEvent !== undefined) checkListener("restore onEvent", onEvent);
    const workspace = workspaceOf("restore", request);
    reportMembers("restore", request, this.#parts.report);
    return restore(sessionId, workspace, {
      driver,
      sessions,
      create: () => this.#createSession(sessionId, workspace, onEvent),
    });
  }

  listSessions(filter: SessionFilter = {}, signal?: AbortSignal): AsyncGenerator<SessionInfo, void> {
    checkFilter(filter, signal);
    const { driver } = this.#parts;
    return withoutLength(sessionPages((cursor) => driver.call("listSessions", { ...filter, ...cursor }, { signal })));
  }

  async deleteSession(sessionId: string): Promise<void> {
    checkId("deleteSession", sessionId);
    const { driver, sessions } = this.#parts;
    sessions.find(sessionId)?.tree.refuseChild("cannot be deleted");
    const received = () => sessions.end(sessionId, "the session was deleted");
    await driver.call("deleteSession", { sessionId }, { received, orGone: true });
  }

  async login(methodId: string, signal?: AbortSignal): Promise<void> {
    checkId("login", methodId);
    await this.#parts.driver.call("login", { methodId }, { signal });
  }

  async logout(): Promise<void> {
    await this.#parts.driver.call("logout", {});
  }

  async request<R>(method: `_${string}`, params: object, options?: RequestOptions<R>): Promise<R> {
    checkCustomCall("request", method, params);
    this.#checkSession(params);
    const { connection, driver, report } = this.#parts;
    const lost = (error: unknown) => outcomeUnknown(error, { method, params, version: driver.dialect.version });
    let isSent = false;
    const failed = (error: unknown) => {
      isSent = true;
      options?.failed?.(lost(error));
    };
    try {
      const answer = connection.request(method, params, { ...options, failed });
      return await reportSilence(answer, { method, report });
    } catch (error) {
      throw isSent ? lost(error) : error;
    }
  }

  notify(method: `_${string}`, params: object): void {
    checkCustomCall("notify", method, params);
    this.#checkSession(params);
    this.#parts.connection.notify(method, params);
  }

  close(): Promise<void> {
    this.#knowsEnd = true;
    for (const session of this.#parts.sessions.all) session.queue.reportForgotten();
    return this.#parts.connection.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  /** @throws AcpError `state` for params of a child session */
  #checkSession(params: { readonly sessionId?: unknown }): void {
    const { sessionId } = params;
    if (typeof sessionId !== "string") return;
    this.#parts.sessions.find(sessionId)?.tree.refuseChild("takes no requests");
  }

  #createSession(id: string, workspace: SessionWorkspace, onEvent?: EventListener): LiveSession {
    const { sessions } = this.#parts;
    const session = new LiveSession({ ...this.#parts, id, workspace, ended: (ended) => sessions.remove(ended) });
    if (onEvent !== undefined) session.onEvent(onEvent);
    return session;
  }
}
