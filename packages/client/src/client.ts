import type { SessionInfo, SessionPlace } from "@turnkit/session";
import { jsonCopy } from "@turnkit/session/codec";
import {
  type CloseReason,
  type Connection,
  type Diagnostic,
  InvalidMessageError,
  type RequestOptions,
} from "@turnkit/transport";
import type { ClientOptions } from "./client-options.js";
import type { Driver, Peer } from "./driver/driver.js";
import { LiveSession } from "./live-session.js";
import { type RestoreOutcome, restore } from "./restore.js";
import type { EventListener, Session } from "./session.js";
import { sessionPages } from "./session-pages.js";
import type { SessionTable } from "./session-table.js";

/** Filter of a list of sessions. Without a filter the list holds all sessions. */
export type SessionFilter = {
  /** Absolute folder; selects sessions of exactly this folder. */
  readonly cwd?: string;
};

/** Connection to one agent, after both sides agreed on a version. */
export interface Client extends AsyncDisposable {
  /** Identity, dialect and capabilities of the agent. */
  readonly peer: Peer;
  /**
   * Opens a session. The listener gets every event from the first on, including updates that the agent sent before its
   * answer. Settles at receipt of the answer.
   *
   * @throws InvalidMessageError for a path that is not absolute
   * @throws CapabilityError for directories or MCP servers that the agent does not take
   * @throws RpcError if it refuses; `-32000` asks for a `login` first
   */
  newSession(request: SessionPlace, onEvent?: EventListener): Promise<Session>;
  /**
   * Restores a session. The outcome says if the earlier conversation was replayed, and why there is no session;
   * another session never takes its place. Settles when the state holds the whole conversation and listeners have
   * finished.
   *
   * An open session object of that id stays open until the answer, and after a failure. Meanwhile it gets its own
   * updates and the agent's questions, and its prompts wait. The answer replaces it by the new object in one step: its
   * open questions move there, and its waiting prompts end as `cancelled`. Only `onEvent` gets the replay as it arrives
   * (`state.replaying`).
   *
   * @throws InvalidMessageError for a path that is not absolute
   */
  restore(sessionId: string, request: SessionPlace, onEvent?: EventListener): Promise<RestoreOutcome>;
  /**
   * Yields the sessions that the agent knows, open or not, page by page. Listing changes no session.
   *
   * @throws CapabilityError from the loop, if the agent cannot list sessions
   * @throws InvalidMessageError from the loop, if a cursor comes back, or after 1 000 successive pages without a
   *   session
   * @throws RpcError from the loop, if the agent refuses; `-32000` asks for a `login` first
   */
  listSessions(filter?: SessionFilter, signal?: AbortSignal): AsyncIterable<SessionInfo>;
  /**
   * Deletes a session from the list of the agent. A session that the agent does not know is no error. An open session
   * object of that id ends with the answer, and its turns end as `cancelled`. If the agent refuses, the session
   * continues.
   *
   * @throws CapabilityError if the agent cannot delete sessions
   * @throws RpcError if it refuses for another reason
   */
  deleteSession(sessionId: string): Promise<void>;
  /**
   * Logs in by one of `peer.authMethods` of type `agent`; then repeat the request that failed with `-32000`. The
   * signal asks the agent to stop. For the type `terminal` see `loginOnTerminal` in `./node`.
   *
   * @throws CapabilityError for another method
   * @throws RpcError if the login failed
   */
  login(methodId: string, signal?: AbortSignal): Promise<void>;
  /**
   * Logs out. New sessions may need a login again, and open sessions may fail from now on.
   *
   * @throws CapabilityError if the agent has no logout
   * @throws RpcError if it failed
   */
  logout(): Promise<void>;
  /**
   * Calls a custom method of the agent; its name begins with `_`.
   *
   * @throws RpcError if the agent refuses; `-32601` if it does not have the method
   */
  request<R = unknown>(method: `_${string}`, params: object, options?: RequestOptions<R>): Promise<R>;
  /** Sends a custom notification to the agent; its name begins with `_`. */
  notify(method: `_${string}`, params: object): void;
  /**
   * Ends the connection and its sessions; a launched agent ends with it. Settles like `closed`, but waits at most 250
   * ms for running listeners and loops: they may await `close`.
   */
  close(): Promise<void>;
  /**
   * Settles when calls were rejected and listeners have finished with everything received, at most 5 s after the end.
   * Never rejects.
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
  readonly closed: Promise<CloseReason>;
  readonly #parts: ClientParts;

  constructor(parts: ClientParts) {
    this.#parts = parts;
    this.peer = parts.driver.peer;
    this.closed = parts.connection.closed;
  }

  async newSession(request: SessionPlace, onEvent?: EventListener): Promise<Session> {
    const { driver, sessions } = this.#parts;
    const place = placeOf("newSession", request);
    const opened: { session?: LiveSession } = {};
    await sessions.during(() =>
      driver.call("newSession", place, {
        received: ({ sessionId, ...lists }) => {
          opened.session = this.#createSession(sessionId, place, onEvent);
          sessions.add(opened.session, lists);
        },
      }),
    );
    return opened.session as Session;
  }

  async restore(sessionId: string, request: SessionPlace, onEvent?: EventListener): Promise<RestoreOutcome> {
    const { driver, sessions } = this.#parts;
    const place = placeOf("restore", request);
    return restore(sessionId, place, {
      driver,
      sessions,
      create: () => this.#createSession(sessionId, place, onEvent),
    });
  }

  listSessions(filter: SessionFilter = {}, signal?: AbortSignal): AsyncGenerator<SessionInfo, void> {
    return sessionPages((cursor) => this.#parts.driver.call("listSessions", { ...filter, ...cursor }, { signal }));
  }

  async deleteSession(sessionId: string): Promise<void> {
    const { driver, sessions } = this.#parts;
    const received = () => sessions.end(sessionId, "the session was deleted");
    await driver.call("deleteSession", { sessionId }, { received, orGone: true });
  }

  async login(methodId: string, signal?: AbortSignal): Promise<void> {
    await this.#parts.driver.call("login", { methodId }, { signal });
  }

  async logout(): Promise<void> {
    await this.#parts.driver.call("logout", {});
  }

  request<R>(method: `_${string}`, params: object, options?: RequestOptions<R>): Promise<R> {
    return this.#parts.connection.request(method, params, options);
  }

  notify(method: `_${string}`, params: object): void {
    this.#parts.connection.notify(method, params);
  }

  close(): Promise<void> {
    return this.#parts.connection.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  #createSession(id: string, place: SessionPlace, onEvent?: EventListener): LiveSession {
    const { sessions, ...parts } = this.#parts;
    const session = new LiveSession({ ...parts, id, place, ended: (ended) => sessions.remove(ended) });
    if (onEvent !== undefined) session.onEvent(onEvent);
    return session;
  }
}

/**
 * Checks and copies the place of a session. Duplicate directories are removed.
 *
 * @param method name of the call in the error
 * @throws InvalidMessageError for a path that is not absolute: its base is unknown on this side
 */
// V1-SESS-11
function placeOf(method: string, place: SessionPlace): SessionPlace {
  const { cwd, additionalDirectories = [], ...others } = place;
  const issues = [
    ...issuesOf(cwd, ["cwd"]),
    ...additionalDirectories.flatMap((directory, index) => issuesOf(directory, ["additionalDirectories", index])),
  ];
  if (issues.length > 0) throw new InvalidMessageError(method, "params", issues);
  const directories = [...new Set(additionalDirectories)].filter((directory) => directory !== cwd);
  return jsonCopy({ cwd, ...(directories.length > 0 && { additionalDirectories: directories }), ...others });
}

function issuesOf(path: string, where: readonly PropertyKey[]) {
  // The agent may run on another system than this side: both kinds of path are absolute.
  if (/^(\/|\\\\|[A-Za-z]:[\\/])/.test(path)) return [];
  return [{ path: where, message: `expected an absolute path, got ${JSON.stringify(path)}` }];
}
