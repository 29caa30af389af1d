import type {
  ClientCapabilities,
  Implementation,
  PermissionOutcome,
  PermissionQuestion,
  SessionEvent,
  SessionLists,
  SessionPlace,
  StateLimits,
} from "@turnkit/session";
import {
  type Channel,
  type CloseReason,
  type Connection,
  type ConnectionLimits,
  createConnection,
  type Diagnostic,
  type InboundCall,
  type RequestOptions,
  type Route,
  RpcError,
} from "@turnkit/transport";
import type { Desk, Driver, Peer } from "./driver/driver.js";
import { EarlyUpdates } from "./early-updates.js";
import type { FileHost } from "./host/files.js";
import type { TerminalHost } from "./host/terminals.js";
import { negotiate } from "./negotiate.js";
import type { PermissionPolicy } from "./permissions.js";
import { type EventListener, LiveSession, type Session } from "./session.js";

/** What a client is and offers. Capabilities are derived from the members that exist. */
export type ClientOptions = {
  readonly info: Implementation;
  /** Decides permission questions. Absent: every question waits in the state for `session.answer`. */
  readonly permissions?: PermissionPolicy;
  /** Files for the agent (version 1); present means advertised. `./node` has one limited to the session's roots. */
  readonly files?: FileHost;
  /** Terminals for the agent (version 1); present means advertised. `./node` has one. */
  readonly terminals?: TerminalHost;
  /** Requests and notifications of one's own; names begin with `_`. */
  readonly extensions?: Readonly<Record<`_${string}`, (params: unknown, signal: AbortSignal) => unknown>>;
  readonly limits?: Partial<ConnectionLimits> & Partial<StateLimits>;
  /** Checks everything that is sent against the schema; for tests and debugging. */
  readonly validateOutgoing?: boolean;
  readonly onDiagnostic?: (diagnostic: Diagnostic) => void;
};

/** A session that was brought back. */
export type Restored = {
  readonly session: Session;
  /** Whether the agent told what was said before; if not, the session goes on without it. */
  readonly replayed: boolean;
};

/** A connection to one agent, after both sides agreed on a version. */
export interface Client extends AsyncDisposable {
  readonly peer: Peer;
  /**
   * Opens a session. The listener is told everything from the first event on.
   *
   * @throws CapabilityError for directories or MCP servers that the agent does not take; RpcError if it refuses
   */
  newSession(request: SessionPlace, onEvent?: EventListener): Promise<Session>;
  /**
   * Brings a session back: with what was said where the agent can replay it, else without. Settles when listeners were
   * told all of it.
   *
   * @throws CapabilityError where the agent can restore nothing; RpcError `-32002` for a session it does not know
   */
  restoreSession(sessionId: string, request: SessionPlace, onEvent?: EventListener): Promise<Restored>;
  /**
   * Logs in by one of `peer.authMethods` of type `agent`.
   *
   * @throws CapabilityError for another method; RpcError if the login failed
   */
  login(methodId: string, signal?: AbortSignal): Promise<void>;
  /** Calls an extension of the agent; its name begins with `_`. */
  request<R = unknown>(method: `_${string}`, params: object, options?: RequestOptions<R>): Promise<R>;
  notify(method: `_${string}`, params: object): void;
  /** Ends the connection; a launched agent ends with it. */
  close(): Promise<void>;
  /** Settles last, after listeners were told everything that was received. Never rejects. */
  readonly closed: Promise<CloseReason>;
}

/**
 * Talks to an agent over a channel, and agrees with it on a version.
 *
 * @throws NegotiationError if no version is shared, ConnectionClosedError if the agent went away; the channel is closed
 */
export async function connect(channel: Channel, options: ClientOptions): Promise<Client> {
  const client = new ChannelClient(channel, options);
  try {
    await client.open();
    return client;
  } catch (error) {
    await client.close();
    throw error;
  }
}

class ChannelClient implements Client, Desk {
  readonly files: FileHost | undefined;
  readonly terminals: TerminalHost | undefined;
  readonly closed: Promise<CloseReason>;
  readonly #options: ClientOptions;
  readonly #connection: Connection;
  readonly #sessions = new Map<string, LiveSession>();
  readonly #early: EarlyUpdates;
  #driver!: Driver;

  constructor(channel: Channel, options: ClientOptions) {
    this.#options = options;
    this.files = options.files;
    this.terminals = options.terminals;
    const { waitingMessages = 1_000, waitingBytes = 4 * 1024 * 1024 } = options.limits ?? {};
    this.#early = new EarlyUpdates({ messages: waitingMessages, bytes: waitingBytes }, (sessionId, count) =>
      this.#report({ code: "dropped", sessionId, message: `${count} updates of an unknown session were dropped.` }),
    );
    this.#connection = createConnection(channel, {
      ...(options.limits && { limits: options.limits }),
      ...(options.onDiagnostic && { onDiagnostic: options.onDiagnostic }),
      ...(options.validateOutgoing && { validateOutgoing: () => this.#driver?.contract }),
    });
    const sessionsEnded = channel.closed.then(({ message }) => {
      const sessions = [...this.#sessions.values()];
      for (const session of sessions) session.end(message);
      return sessions;
    });
    this.closed = this.#connection.closed.then(async (reason) => {
      for (const session of await sessionsEnded) await session.lane.settled();
      return reason;
    });
  }

  get peer(): Peer {
    return this.#driver.peer;
  }

  async open(): Promise<void> {
    const { info, files, terminals } = this.#options;
    const capabilities: ClientCapabilities = {
      files: { read: files?.readTextFile !== undefined, write: files?.writeTextFile !== undefined },
      terminals: terminals !== undefined,
      terminalLogin: false,
      elicitation: { form: false, url: false },
      notices: true,
      compaction: true,
      booleanOptions: true,
    };
    this.#driver = await negotiate(this.#connection, this, { info, capabilities });
  }

  async newSession(request: SessionPlace, onEvent?: EventListener): Promise<Session> {
    let session: LiveSession | undefined;
    await this.#early.during(() =>
      this.#driver.newSession(request, (sessionId, lists) => {
        session = this.#createSession(sessionId, request, onEvent);
        this.#opened(session, request, lists);
        for (const { events, bytes } of this.#early.claim(sessionId)) session.receive(events, bytes);
      }),
    );
    return session as LiveSession;
  }

  async restoreSession(sessionId: string, request: SessionPlace, onEvent?: EventListener): Promise<Restored> {
    this.#sessions.get(sessionId)?.end("restored anew");
    const session = this.#createSession(sessionId, request, onEvent);
    session.tell({ type: "replay_started" });
    try {
      const { replayed } = await this.#driver.restoreSession(sessionId, request, (lists) => {
        session.tell({ type: "replay_ended" });
        this.#opened(session, request, lists);
      });
      await session.lane.settled();
      return { session, replayed };
    } catch (error) {
      session.end("it could not be restored");
      throw error;
    }
  }

  login(methodId: string, signal?: AbortSignal): Promise<void> {
    return this.#driver.login(methodId, signal);
  }

  request<R>(method: `_${string}`, params: object, options?: RequestOptions<R>): Promise<R> {
    return this.#connection.request(method, params, options);
  }

  notify(method: `_${string}`, params: object): void {
    this.#connection.notify(method, params);
  }

  close(): Promise<void> {
    return this.#connection.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  session(sessionId: string): LiveSession {
    const session = this.#sessions.get(sessionId);
    if (session === undefined) throw RpcError.resourceNotFound({ sessionId });
    return session;
  }

  update(sessionId: string, events: readonly SessionEvent[], bytes: number): void {
    const session = this.#sessions.get(sessionId);
    if (session === undefined) this.#early.keep(sessionId, events, bytes);
    else session.receive(events, bytes);
  }

  ask(sessionId: string, question: PermissionQuestion, call: InboundCall): Promise<PermissionOutcome> {
    return this.session(sessionId).ask(question, call);
  }

  extension(method: string): Route | undefined {
    const extensions: Readonly<Record<string, (params: unknown, signal: AbortSignal) => unknown>> =
      this.#options.extensions ?? {};
    if (!Object.hasOwn(extensions, method)) return undefined;
    return { receive: (params, call) => extensions[method]?.(params, call.signal) };
  }

  #createSession(id: string, { cwd, additionalDirectories = [] }: SessionPlace, onEvent?: EventListener): LiveSession {
    const session = new LiveSession({
      id,
      cwd,
      roots: [cwd, ...additionalDirectories],
      connection: this.#connection,
      driver: this.#driver,
      limits: this.#options.limits ?? {},
      policy: this.#options.permissions,
      report: (diagnostic) => this.#report(diagnostic),
      closed: (ended) => {
        if (this.#sessions.get(id) === ended) this.#sessions.delete(id);
      },
    });
    if (onEvent !== undefined) session.onEvent(onEvent);
    this.#sessions.set(id, session);
    return session;
  }

  #opened(session: LiveSession, { cwd, additionalDirectories = [] }: SessionPlace, lists: SessionLists): void {
    const { configOptions, availableCommands } = lists;
    session.tell({
      type: "session_opened",
      sessionId: session.id,
      cwd,
      additionalDirectories,
      ...(configOptions && { configOptions }),
      ...(availableCommands && { availableCommands }),
    });
  }

  #report(diagnostic: Diagnostic): void {
    this.#options.onDiagnostic?.(diagnostic);
  }
}
