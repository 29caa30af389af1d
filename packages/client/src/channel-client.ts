import type {
  ClientCapabilities,
  DialectName,
  Implementation,
  PermissionOutcome,
  PermissionQuestion,
  SessionEvent,
  SessionInfo,
  SessionLists,
  SessionPlace,
} from "@turnkit/session";
import {
  type Channel,
  type CloseReason,
  type Connection,
  ConnectionClosedError,
  createConnection,
  type Diagnostic,
  type InboundCall,
  type RequestOptions,
  type Route,
} from "@turnkit/transport";
import type { Client, ClientOptions, SessionFilter } from "./client.js";
import type { Desk, Dialect, Driver, Peer } from "./driver/driver.js";
import type { Elicitations } from "./elicitations.js";
import type { FileHandlers } from "./host/file-routes.js";
import type { TerminalHandlers } from "./host/terminal-routes.js";
import { LiveSession } from "./live-session.js";
import { negotiate } from "./negotiate.js";
import { permissionKind } from "./permissions.js";
import { type RestoreOutcome, restore } from "./restore.js";
import type { EventListener, Session } from "./session.js";
import { sessionPages } from "./session-pages.js";
import { placeOf } from "./session-place.js";
import { SessionTable } from "./session-table.js";

/** {@link Client} over a channel. */
export class ChannelClient implements Client, Desk {
  readonly files: FileHandlers | undefined;
  readonly terminals: TerminalHandlers | undefined;
  readonly elicitations: Elicitations | undefined;
  readonly closed: Promise<CloseReason>;
  readonly #options: ClientOptions;
  readonly #dialects: readonly Dialect[];
  readonly #connection: Connection;
  readonly #sessions: SessionTable;
  #driver: Driver | undefined;
  /** The dialect of what is sent. */
  #spoken: DialectName | undefined;

  constructor(dialects: readonly Dialect[], channel: Channel, options: ClientOptions) {
    this.#dialects = dialects;
    this.#options = options;
    this.files = options.files;
    this.terminals = options.terminals;
    this.elicitations = options.elicitations;
    const { limits = {}, batches, validateOutgoing } = options;
    this.#sessions = new SessionTable(limits, (sessionId, message) =>
      this.report({ code: "dropped", sessionId, method: "session/update", message }),
    );
    // Before the connection looks at the end: it then waits for what sessions still have to tell of it.
    void channel.closed.then((reason) => this.#endSessions(reason));
    this.#connection = createConnection(channel, {
      limits,
      nullIds: () => this.#driver?.nullIds ?? true,
      ...(batches && { batches }),
      onDiagnostic: (diagnostic) => this.report(diagnostic),
      ...(validateOutgoing && {
        validateOutgoing: () => this.#spoken && validateOutgoing[this.#spoken],
      }),
    });
    this.closed = this.#connection.closed;
  }

  get peer(): Peer {
    return this.#agreed.peer;
  }

  async open(): Promise<void> {
    const { info, files, terminals, terminalLogin = false, elicitations, omitLegacyFields } = this.#options;
    const { customCapabilities } = this.#options;
    const capabilities: ClientCapabilities = {
      files: files?.offered ?? { read: false, write: false },
      terminals: terminals !== undefined,
      terminalLogin,
      elicitation: elicitations?.modes ?? { form: false, url: false },
      notices: true,
      compaction: true,
      booleanOptions: true,
      ...(customCapabilities && { _meta: customCapabilities }),
    };
    const agreed = (driver: Driver) => {
      this.#driver = driver;
      this.#spoken = driver.peer.dialect;
    };
    const plain = omitLegacyFields !== undefined && { omitLegacyFields };
    const asking = ({ dialect }: Dialect) => {
      this.#spoken = dialect;
    };
    const self = { info, capabilities, dialects: this.#dialects, asking, agreed, ...plain };
    await negotiate(this.#connection, this, self);
  }

  async newSession(request: SessionPlace, onEvent?: EventListener): Promise<Session> {
    const place = placeOf("newSession", request);
    const opened: { session?: LiveSession } = {};
    await this.#sessions.during(() =>
      this.#agreed.newSession(place, (sessionId, lists) => {
        const session = this.#createSession(sessionId, place, onEvent);
        opened.session = session;
        this.#sessions.add(session, () => tellOpened(session, place, lists));
      }),
    );
    return opened.session as Session;
  }

  async restore(sessionId: string, request: SessionPlace, onEvent?: EventListener): Promise<RestoreOutcome> {
    const place = placeOf("restore", request);
    return restore(sessionId, place, {
      driver: this.#agreed,
      sessions: this.#sessions,
      create: () => this.#createSession(sessionId, place, onEvent),
      opened: (session, lists) => tellOpened(session, place, lists),
    });
  }

  listSessions(filter: SessionFilter = {}, signal?: AbortSignal): AsyncGenerator<SessionInfo, void> {
    return sessionPages((cursor) => this.#agreed.listSessions({ ...filter, ...cursor }, signal));
  }

  deleteSession(sessionId: string): Promise<void> {
    return this.#agreed.deleteSession(sessionId, () => this.#sessions.end(sessionId, "the session was deleted"));
  }

  login(methodId: string, signal?: AbortSignal): Promise<void> {
    return this.#agreed.login(methodId, signal);
  }

  logout(): Promise<void> {
    return this.#agreed.logout();
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

  get agent(): Implementation {
    return this.peer.info;
  }

  get sessions(): readonly LiveSession[] {
    return this.#sessions.all;
  }

  session(sessionId: string): LiveSession {
    return this.#sessions.get(sessionId);
  }

  update(sessionId: string, events: readonly SessionEvent[], bytes: number): void {
    this.#sessions.update(sessionId, events, bytes);
  }

  async ask(sessionId: string, question: PermissionQuestion, call: InboundCall): Promise<PermissionOutcome> {
    const kind = permissionKind(this.#options.permissions, this.agent);
    return this.session(sessionId).ask(kind, question, call);
  }

  extension(method: string): Route | undefined {
    const extensions: Readonly<Record<string, (params: unknown, signal: AbortSignal) => unknown>> =
      this.#options.extensions ?? {};
    if (Object.hasOwn(extensions, method)) {
      return { receive: (params, call) => extensions[method]?.(params, call.signal) };
    }
    const { fallback } = this.#options;
    return fallback && { receive: (params, call) => fallback(method, params, call.signal) };
  }

  report(diagnostic: Diagnostic): void {
    try {
      this.#options.onDiagnostic?.(diagnostic);
    } catch {
      // A broken hook must not break the client that it watches.
    }
  }

  /** Nobody outside gets hold of a client before both sides agreed. */
  get #agreed(): Driver {
    return this.#driver as Driver;
  }

  #createSession(id: string, place: SessionPlace, onEvent?: EventListener): LiveSession {
    const session = new LiveSession({
      id,
      place,
      connection: this.#connection,
      driver: this.#agreed,
      options: this.#options,
      report: (diagnostic) => this.report(diagnostic),
      ended: (ended) => this.#sessions.remove(ended),
    });
    if (onEvent !== undefined) session.onEvent(onEvent);
    return session;
  }

  #endSessions(reason: CloseReason): void {
    const failure = new ConnectionClosedError("session/prompt", reason);
    for (const session of this.#sessions.all) session.end(reason.message, failure);
  }
}

function tellOpened(session: LiveSession, place: SessionPlace, lists: SessionLists): void {
  const { cwd, additionalDirectories = [] } = place;
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
