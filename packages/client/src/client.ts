import type { SessionInfo, SessionPlace } from "@turnkit/session";
import type { CloseReason, RequestOptions } from "@turnkit/transport";
import type { Peer } from "./driver/driver.js";
import type { RestoreOutcome } from "./restore.js";
import type { EventListener, Session } from "./session.js";

/** Which sessions to list; all of them unless said otherwise. */
export type SessionFilter = {
  /** Only sessions of this very folder; absolute. */
  readonly cwd?: string;
};

/** A connection to one agent, after both sides agreed on a version. */
export interface Client extends AsyncDisposable {
  /** Who is on the other side, which version it speaks, and what it can do. */
  readonly peer: Peer;
  /**
   * Opens a session. The listener is told everything from the first event on, also what the agent sent with its answer
   * or before it. Settles at receipt of the answer.
   *
   * @throws InvalidMessageError for a path that is not absolute
   * @throws CapabilityError for directories or MCP servers that the agent does not take
   * @throws RpcError if it refuses; `-32000` asks for a `login` first
   */
  newSession(request: SessionPlace, onEvent?: EventListener): Promise<Session>;
  /**
   * Brings a session back: with what was said where the agent can replay it, as every agent of version 2 can, else
   * without. The outcome says which, or why there is none; another session never takes its place. Settles when the state
   * holds all of it and listeners were told.
   *
   * A session object of that id which is open goes on meanwhile, and after a failure: it gets the updates of its own work.
   * With the answer the new one takes its place in one step, and the old one ends. Only the listener sees the replay as
   * it goes (`state.replaying`).
   *
   * @throws InvalidMessageError for a path that is not absolute
   */
  restore(sessionId: string, request: SessionPlace, onEvent?: EventListener): Promise<RestoreOutcome>;
  /**
   * The sessions that the agent knows, open or not, page by page as the loop goes on. Listing changes none of them.
   *
   * @throws CapabilityError from the loop, where the agent lists none
   * @throws InvalidMessageError from the loop, where the cursors run in a circle, and after 1 000 pages in a row without a
   *   session
   * @throws RpcError from the loop, if the agent refuses; `-32000` asks for a `login` first
   */
  listSessions(filter?: SessionFilter, signal?: AbortSignal): AsyncIterable<SessionInfo>;
  /**
   * Takes a session out of the list. One that the agent does not know is no error. A session object of that id which is
   * open ends with the agent's answer, and its open turns end as `cancelled`; where the agent refuses it goes on.
   *
   * @throws CapabilityError where the agent deletes none
   * @throws RpcError if it refuses for another reason
   */
  deleteSession(sessionId: string): Promise<void>;
  /**
   * Logs in by one of `peer.authMethods` of type `agent`; after that, try again what failed with `-32000`. The signal
   * asks the agent to stop. For the type `terminal` there is `loginOnTerminal` in `./node`.
   *
   * @throws CapabilityError for another method
   * @throws RpcError if the login failed
   */
  login(methodId: string, signal?: AbortSignal): Promise<void>;
  /**
   * Logs out; new sessions may need a login again. Sessions that are open may fail from now on.
   *
   * @throws CapabilityError where the agent offers no logout
   * @throws RpcError if it failed
   */
  logout(): Promise<void>;
  /**
   * Calls an extension of the agent; its name begins with `_`.
   *
   * @throws RpcError if the agent refuses; `-32601` where it has no such extension
   */
  request<R = unknown>(method: `_${string}`, params: object, options?: RequestOptions<R>): Promise<R>;
  /** Tells an extension of the agent; its name begins with `_`. */
  notify(method: `_${string}`, params: object): void;
  /**
   * Ends the connection and its sessions; a launched agent ends with it. Settles as `closed` does, but waits at most
   * 250 ms for listeners and loops that were running at the call: they may await it.
   */
  close(): Promise<void>;
  /**
   * Settles last: when calls were rejected and listeners told everything that was received, or 5 s after the end if
   * one of them does not finish. Never rejects.
   */
  readonly closed: Promise<CloseReason>;
}
