import type { ClientCapabilities, DialectName, SessionInfo, SessionPlace } from "@turnkit/session";
import { jsonCopy } from "@turnkit/session/codec";
import {
  type Channel,
  type CloseReason,
  type Connection,
  ConnectionClosedError,
  createConnection,
  type Diagnostic,
  InvalidMessageError,
  type RequestOptions,
} from "@turnkit/transport";
import type { Client, SessionFilter } from "./client.js";
import type { ClientOptions } from "./client-options.js";
import type { Dialect, Driver, Peer } from "./driver/driver.js";
import { LiveSession } from "./live-session.js";
import { negotiate } from "./negotiate.js";
import { type RestoreOutcome, restore } from "./restore.js";
import type { EventListener, Session } from "./session.js";
import { sessionPages } from "./session-pages.js";
import { SessionTable } from "./session-table.js";

/** Client over a channel. */
export class ChannelClient implements Client {
  readonly closed: Promise<CloseReason>;
  readonly #options: ClientOptions;
  readonly #dialects: readonly Dialect[];
  readonly #connection: Connection;
  readonly #sessions: SessionTable;
  #driver: Driver | undefined;
  /** Dialect of the messages that are sent. */
  #spoken: DialectName | undefined;
  readonly #report = (diagnostic: Diagnostic): void => {
    try {
      this.#options.onDiagnostic?.(diagnostic);
    } catch {
      // A broken hook must not break the client.
    }
  };

  constructor(dialects: readonly Dialect[], channel: Channel, options: ClientOptions) {
    this.#dialects = dialects;
    this.#options = options;
    const { limits = {}, batches, validateOutgoing } = options;
    this.#sessions = new SessionTable(limits, (sessionId, message) =>
      this.#report({ code: "dropped", sessionId, method: "session/update", message }),
    );
    // Before the connection handles the end: it then waits for the last events of sessions.
    void channel.closed.then((reason) => this.#endSessions(reason));
    this.#connection = createConnection(channel, {
      limits,
      nullIds: () => this.#driver?.rules.nullIds ?? true,
      ...(batches && { batches }),
      onDiagnostic: this.#report,
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
    const host = { options: this.#options, sessions: this.#sessions, report: this.#report };
    await negotiate(this.#connection, host, self);
  }

  async newSession(request: SessionPlace, onEvent?: EventListener): Promise<Session> {
    const place = placeOf("newSession", request);
    const opened: { session?: LiveSession } = {};
    await this.#sessions.during(() =>
      this.#agreed.call("newSession", place, {
        received: ({ sessionId, ...lists }) => {
          const session = this.#createSession(sessionId, place, onEvent);
          opened.session = session;
          this.#sessions.add(session, lists);
        },
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
    });
  }

  listSessions(filter: SessionFilter = {}, signal?: AbortSignal): AsyncGenerator<SessionInfo, void> {
    return sessionPages((cursor) => this.#agreed.call("listSessions", { ...filter, ...cursor }, { signal }));
  }

  async deleteSession(sessionId: string): Promise<void> {
    const received = () => this.#sessions.end(sessionId, "the session was deleted");
    await this.#agreed.call("deleteSession", { sessionId }, { received, orGone: true });
  }

  async login(methodId: string, signal?: AbortSignal): Promise<void> {
    await this.#agreed.call("login", { methodId }, { signal });
  }

  async logout(): Promise<void> {
    await this.#agreed.call("logout", {});
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

  /** Driver of an open client: callers get the client after both sides agreed. */
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
      report: this.#report,
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
