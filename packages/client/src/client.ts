import type { SessionInfo, SessionPlace } from "@turnkit/session";
import type { CloseReason, RequestOptions } from "@turnkit/transport";
import type { Peer } from "./driver/driver.js";
import type { RestoreOutcome } from "./restore.js";
import type { EventListener, Session } from "./session.js";

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
   * An open session object of that id continues meanwhile, and after a failure: it gets the updates of its own work and
   * the agent's questions, and its prompts wait. With the answer the new object replaces it in one step. The old one
   * ends: its open questions move to the new one, and prompts that waited end as `cancelled`. Only `onEvent` sees the
   * replay as it arrives (`state.replaying`).
   *
   * @throws InvalidMessageError for a path that is not absolute
   */
  restore(sessionId: string, request: SessionPlace, onEvent?: EventListener): Promise<RestoreOutcome>;
  /**
   * Yields the sessions that the agent knows, open or not, page by page. Listing changes no session.
   *
   * @throws CapabilityError from the loop, where the agent lists none
   * @throws InvalidMessageError from the loop, where the cursors run in a circle, and after 1 000 pages in a row without a
   *   session
   * @throws RpcError from the loop, if the agent refuses; `-32000` asks for a `login` first
   */
  listSessions(filter?: SessionFilter, signal?: AbortSignal): AsyncIterable<SessionInfo>;
  /**
   * Deletes a session from the list of the agent. A session that the agent does not know is no error. An open session
   * object of that id ends with the answer, and its turns end as `cancelled`. If the agent refuses, the session
   * continues.
   *
   * @throws CapabilityError where the agent deletes none
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
   * @throws CapabilityError where the agent offers no logout
   * @throws RpcError if it failed
   */
  logout(): Promise<void>;
  /**
   * Calls a custom method of the agent; its name begins with `_`.
   *
   * @throws RpcError if the agent refuses; `-32601` where it has no such extension
   */
  request<R = unknown>(method: `_${string}`, params: object, options?: RequestOptions<R>): Promise<R>;
  /** Sends a custom notification to the agent; its name begins with `_`. */
  notify(method: `_${string}`, params: object): void;
  /**
   * Ends the connection and its sessions; a launched agent ends with it. Settles like `closed`, but waits at most 250
   * ms for listeners and loops that were running at the call: they may await it.
   */
  close(): Promise<void>;
  /**
   * Settles when calls were rejected and listeners have finished with everything received, at most 5 s after the end.
   * Never rejects.
   */
  readonly closed: Promise<CloseReason>;
}
