import type { Implementation, SessionInfo, SessionPlace, StateLimits } from "@turnkit/session";
import type { Channel, CloseReason, ConnectionLimits, Diagnostic, RequestOptions } from "@turnkit/transport";
import { ChannelClient } from "./channel-client.js";
import type { Dialect, Peer } from "./driver/driver.js";
import { seedDialect } from "./driver/seed.js";
import { v1Dialect } from "./driver/v1.js";
import { v2Dialect } from "./driver/v2.js";
import type { Elicitations } from "./elicitations.js";
import type { FileHandlers } from "./host/file-routes.js";
import type { TerminalHandlers } from "./host/terminal-routes.js";
import type { OutgoingContracts } from "./outgoing-contracts.js";
import type { PermissionPolicy } from "./permissions.js";
import type { RestoreOutcome } from "./restore.js";
import type { EventListener, Session, WhilePrompting } from "./session.js";

/** What a client is and offers. Capabilities are derived from the members that exist. */
export type ClientOptions = {
  /** Name and version of the program that speaks to the agent. */
  readonly info: Implementation;
  /**
   * Leaves out of a version 2 hello what only agents of version 1 and of older drafts read. They then take this client
   * for one that offers nothing. Unless said otherwise it is left out only where nothing but one dialect is spoken.
   */
  readonly omitLegacyFields?: boolean;
  /** Decides permission questions. Absent: every question waits in the state for `session.answer`. */
  readonly permissions?: PermissionPolicy;
  /** What happens to a prompt of a session that has an open turn; `queue` unless said otherwise. */
  readonly whilePrompting?: WhilePrompting;
  /**
   * How long an agent may take to end a turn that was cancelled, in milliseconds: then the turn ends as `cancelled`,
   * without confirmation. So long `session.close()` waits for the agent, too. 30 000 unless said otherwise, which is more
   * than agents take that are well; `Infinity` for no limit.
   */
  readonly cancelGraceMs?: number;
  /**
   * Questions of the agent for the person, by form or by URL, as `createElicitations` or a broker makes it of handlers;
   * what is present is advertised. A handler that returns `undefined` leaves them in the state for `session.answer`.
   */
  readonly elicitations?: Elicitations;
  /**
   * Whether the agent may offer logins on a terminal. Say so only where the agent can be started once more, just as it was
   * for this connection, where the person sees it and can type: see `loginOnTerminal` in `./node`. Rarely so for an agent
   * on another machine.
   */
  readonly terminalLogin?: boolean;
  /** Files for the agent (version 1); present means advertised. `./node` has one limited to the session's roots. */
  readonly files?: FileHandlers;
  /** Terminals for the agent (version 1); present means advertised. `./node` has one. */
  readonly terminals?: TerminalHandlers;
  /**
   * Requests and notifications of one's own; names begin with `_`. What a handler returns is the answer; an `RpcError`
   * that it throws is the answer too. They are called at receipt, in no session's order.
   */
  readonly extensions?: Readonly<Record<`_${string}`, (params: unknown, signal: AbortSignal) => unknown>>;
  /**
   * Requests and notifications of every other method: whatever neither the agent's version of the protocol, as far as
   * there are hosts for it, nor `extensions` has. As raw as those. Throw `RpcError.methodNotFound(method)` for what is
   * unknown here too.
   */
  readonly fallback?: (method: string, params: unknown, signal: AbortSignal) => unknown;
  /**
   * Arrays of messages, which older agents may send: refused with `-32600` as a whole unless this says `unpack`; then
   * their entries are handled in order, as if each had come alone.
   */
  readonly batches?: "refuse" | "unpack";
  /** Bounds of the connection and of every session's state. The README has a table of all bounds and their outcomes. */
  readonly limits?: Partial<ConnectionLimits> & Partial<StateLimits>;
  /**
   * Features of one's own, under names that hold a domain: `{ "example.com": { undo: true } }`. Agents find them in
   * `_meta` of the capabilities; what the agent has of the kind is in `peer.capabilities._meta`. Look before use.
   */
  readonly customCapabilities?: { readonly [domain: `${string}.${string}`]: unknown };
  /**
   * What new `_meta` of a session, a tool call or a terminal does to what was there: `patch` changes it key by key, as
   * version 2 means it; `replace` takes the place of it, for agents that send it whole. `patch` unless said otherwise.
   */
  readonly metaMode?: "patch" | "replace";
  /** Checks everything that is sent against these schemas, `outgoingContracts` as a rule; for tests and debugging. */
  readonly validateOutgoing?: OutgoingContracts;
  /** Receives what is worth a log line: invalid lines, dropped updates, failing listeners. It never gets params or results. */
  readonly onDiagnostic?: (diagnostic: Diagnostic) => void;
};

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

/** Everything that turnkit speaks, the newest first. */
export const allDialects: readonly Dialect[] = [v2Dialect, seedDialect, v1Dialect];

/**
 * Talks to an agent over a channel, and agrees with it on a version: version 1, version 2, or its draft of June 2026
 * (`seed`), which shares version 2's number and is known by its shape. There is no time limit: close the channel to give
 * up (`launch` has one). Where it throws, the channel is closed.
 *
 * @throws NegotiationError if no version is shared
 * @throws InvalidMessageError if the agent's answer cannot be read
 * @throws RpcError if the agent refuses
 * @throws ConnectionClosedError if the agent went away
 * @throws AcpError `state` for a channel that has a connection already, which goes on
 */
export function connect(channel: Channel, options: ClientOptions): Promise<Client> {
  return connectWith(allDialects, channel, options);
}

/**
 * The same as {@link connect} in these dialects alone: the newest of them is offered, and the agent's answer decides. A
 * bundle has only those that it names.
 *
 * @throws as `connect` does; NegotiationError also where there is no dialect
 *
 * @example
 * const client = await connectWith([v1Dialect], channel, { info: { name: "my-editor", version: "1.0.0" } });
 */
export async function connectWith(
  dialects: readonly Dialect[],
  channel: Channel,
  options: ClientOptions,
): Promise<Client> {
  const client = new ChannelClient(dialects, channel, options);
  try {
    await client.open();
    return client;
  } catch (error) {
    await client.close();
    throw error;
  }
}
