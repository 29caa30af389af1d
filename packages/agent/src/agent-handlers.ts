import type {
  AuthMethod,
  ConfigOption,
  Implementation,
  ListSessions,
  SessionPage,
  SessionWorkspace,
  StopReason,
} from "@turnkit/session";
import type { ClientCall } from "./client-call.js";
import type { ClientInfo } from "./client-info.js";
import type { AgentSession, CommandOffer } from "./session.js";
import type { SessionLog } from "./session-log.js";
import type { Turn } from "./turn.js";
import type { TurnResult } from "./turn-end.js";

type Awaitable<T> = T | Promise<T>;

/** Directories and MCP servers of a new session. */
export type NewSession = SessionWorkspace;

/**
 * Session to restore. Updates that the handler emits reach the client before the answer, so the handler can replay the
 * history.
 */
export type RestoreSession = SessionWorkspace & {
  readonly sessionId: string;
  /** `session.data` at the end of the last stored turn. Absent without a `log`, and for a session without stored data. */
  readonly data?: unknown;
  /** `dataVersion` of the agent that stored `data`. */
  readonly dataVersion?: number;
  /** True if the session had newer data that could not be stored: the data was not JSON, or was too large. */
  readonly isDataOutdated?: boolean;
  /**
   * True if the client asks for the history. Always false with a `log`, because the runtime replays the history of a
   * log.
   */
  readonly replay: boolean;
};

/** Start of a session. The runtime stores `data` as `session.data`. Only the agent uses this data. */
export type SessionSetup<S> = {
  /**
   * Options for the user. Some clients get an option in another form:
   *
   * - In version 1, a select of category `mode` or `model` is also sent as the modes or models of the session.
   * - A client without boolean options gets a select with the values `on` and `off`.
   */
  readonly configOptions?: readonly ConfigOption[];
  /** Slash commands. Version 1 has no room for commands in the answer, so an update after the answer carries them. */
  readonly availableCommands?: readonly CommandOffer[];
} & (undefined extends S ? { readonly data?: S } : { readonly data: S });

/** Result of a handler that opens a session. The handler may return nothing if the agent's sessions have no data. */
export type SetupAnswer<S> = SessionSetup<S> | (undefined extends S ? void : never);

/** Handlers that are required if every session has data. `newSession` creates the data. */
export type DataHandlers<S> = undefined extends S ? unknown : Pick<Required<AgentHandlers<S>>, "newSession">;

/**
 * Handler of an extension method. Without `createExtension`, nothing checks the params. The client gets the returned value as the result
 * of its request. `signal` fires when the client cancels the request or the connection ends.
 */
export type Extension = (params: unknown, signal: AbortSignal, client: ClientInfo) => unknown;

/**
 * Handlers of an agent. The runtime derives the agent's capabilities from the handlers that exist.
 *
 * If a handler throws an `RpcError`, the client gets that error as the answer. The client gets `-32603` for any other
 * error. Handlers of one session start in the order of the client's calls. Each handler except `prompt` ends before the
 * next one starts.
 */
export type AgentHandlers<S = undefined> = {
  readonly info: Implementation;
  /**
   * Opens a session. Agents whose sessions have no data may omit this handler.
   *
   * - Updates that this handler emits reach the client right after the answer.
   * - Files, terminals and questions are not available here, because the client does not know the session yet.
   * - `call` asks for input that only a person can give.
   *
   * @throws RpcError `RpcError.authRequired()` if the user has to log in first
   */
  newSession?(request: NewSession, session: AgentSession<S>, call: ClientCall): Awaitable<SetupAnswer<S>>;
  /**
   * Answers a prompt. Returns the stop reason and the usage. A handler that returns nothing ends the turn with `end_turn`.
   *
   * - A turn whose `turn.signal` fired ends as `cancelled`, whatever the handler returns or throws.
   * - Otherwise, an error fails the prompt. The stop reason `error` also fails the prompt.
   * - Version 2 answers the prompt before the turn ends. An update then reports the error.
   * - Prompts of one session run one after the other. Prompts of several sessions run at the same time.
   */
  prompt(turn: Turn<S>): Awaitable<TurnResult | StopReason | undefined | void>;
  /**
   * Storage of the sessions. A log provides list, load, resume, replay and delete, even after a crash, and needs no
   * other handler.
   *
   * - The client gets the end of a turn after the log has stored that end. If the log cannot store the end, the client gets
   *   an error.
   * - A session that is not in the log does not exist.
   * - A restored session has its whole history in `session.state`.
   * - The runtime stores `session.data` at the end of each turn and at the close of the session, up to 1 MiB of JSON.
   * - `restoreSession` gets the stored data. Without `restoreSession`, `session.data` is the stored data if its version is
   *   the agent's `dataVersion`, and otherwise the data of `newSession`.
   * - Data that is too large or not JSON is reported to `onDiagnostic` as `log_failed`. The turn goes on, and the log keeps
   *   the older data.
   * - Without `restoreSession`, `newSession` sets the session up again. The client does not get the updates of `newSession`
   *   twice. The runtime passes the user's earlier choices to `setConfigOption` again.
   * - `listSessions` replaces the log's list. `deleteSession` runs before the log deletes, and throws to refuse the
   *   deletion.
   */
  readonly log?: SessionLog;
  /**
   * Version of the form of `session.data`. Raise the version when the agent can no longer use data that it stored earlier.
   *
   * @defaultValue 1
   */
  readonly dataVersion?: number;
  /**
   * Restores a session: load and resume in version 1, one method in version 2. Replayed messages, tool calls and terminals
   * need their earlier ids.
   *
   * An open session with this id is handled first. The runtime cancels the turns of that session.
   *
   * - With a `closeSession` handler, the open session is closed before this handler runs.
   * - Without a `closeSession` handler, the open session goes on if this handler throws.
   *
   * With a `log`, the runtime has already replayed the history:
   *
   * - Return the data that belongs to `session.state`, and the lists that changed.
   * - A result without the member `data` keeps the stored data as `session.data`, and is reported. Stored data of another
   *   `dataVersion` then refuses the restore. `{ data: undefined }` removes the stored data.
   * - Updates that this handler emits are stored and sent after it returns. If this handler throws, the updates are
   *   dropped.
   *
   * Without a `log`, only this handler knows which sessions exist. If it returns for an unknown id, the client gets a restored
   * session without messages.
   *
   * @throws RpcError `RpcError.resourceNotFound({ sessionId })` for a session that does not exist
   */
  restoreSession?(request: RestoreSession, session: AgentSession<S>): Awaitable<SetupAnswer<S>>;
  /**
   * Applies a value that the user chose, also during a turn. The runtime has checked that the option has this value.
   *
   * - The handler throws to refuse the value. Otherwise the runtime changes the option and sends the new value to the
   *   client.
   * - Modes and models of version 1 arrive here too.
   * - A result of the handler is not used, and is reported.
   * - `session.setConfigOptions` changes options that depend on this value.
   * - Without this handler, every choice is accepted.
   */
  setConfigOption?(session: AgentSession<S>, configId: string, value: string | boolean): Awaitable<void>;
  /**
   * Returns a page of the sessions that can be restored. The client gets the additional directories only from an agent with
   * that capability. Without this handler and without a log:
   *
   * - version 1 and seed have no list;
   * - version 2 lists the open sessions of the connection, 100 on each page.
   *
   * @throws RpcError `-32602` for a cursor that is not valid
   */
  listSessions?(request: ListSessions, signal: AbortSignal): Awaitable<SessionPage>;
  /**
   * Deletes a session. An open session is closed first. The deletion of a missing session succeeds, even if this
   * handler throws `RpcError.resourceNotFound()`.
   */
  deleteSession?(sessionId: string, signal: AbortSignal): Awaitable<void>;
  /**
   * Cleans up a session when the client closes it, when the client restores it again, or when the connection ended. The
   * runtime calls this handler once for each session that was opened, after the session's turns. After the end of the
   * connection, the runtime waits at most one second for the turns. Errors go to `onDiagnostic`.
   */
  closeSession?(session: AgentSession<S>): Awaitable<void>;
  /**
   * Login methods. A method of type `agent` needs the handler `login`. Methods of type `terminal` are sent only to clients
   * that support them.
   */
  readonly authMethods?: readonly AuthMethod[];
  /**
   * Logs the user in by a method of type `agent`. `signal` fires when the client cancels the request or the connection
   * ends. `call` asks for input that only a person can give.
   */
  login?(methodId: string, signal: AbortSignal, call: ClientCall): Awaitable<void>;
  /**
   * Logs the user out. Version 2 requires this handler of agents with `authMethods`. Without this handler, a client's
   * `logout` is answered with `-32601`.
   */
  logout?(signal: AbortSignal): Awaitable<void>;
  /**
   * Types of blocks that the agent accepts in prompts, besides text and resource links. A prompt with a block of any other
   * type is refused with `-32602` before a handler runs.
   */
  readonly promptCapabilities?: {
    readonly image?: boolean;
    readonly audio?: boolean;
    readonly embeddedContext?: boolean;
  };
  /**
   * Transports of MCP servers that the agent accepts, besides stdio. A server with any other transport is refused with
   * `-32602`. Only version 1 has SSE.
   */
  readonly mcpCapabilities?: { readonly http?: boolean; readonly sse?: boolean };
  /**
   * Session features that the runtime cannot derive from a handler. A request with a feature that is not here is refused
   * with `-32602`.
   *
   * - `additionalDirectories`: further roots of a session.
   * - `systemPrompt`: `append` accepts system prompts that add to the agent's own. `override` also accepts system
   *   prompts that replace the agent's own. `newSession` and `restoreSession` get the system prompt. Version 1 and
   *   version 2 only.
   */
  readonly sessionCapabilities?: {
    readonly additionalDirectories?: boolean;
    readonly systemPrompt?: "append" | "override";
  };
  /**
   * Custom features of the agent, sent in `_meta` of its capabilities. Each name contains a domain, as in `{ "example.com":
   * { undo: true } }`. The client's own custom features are in `client.capabilities._meta`.
   */
  readonly customCapabilities?: { readonly [domain: `${string}.${string}`]: unknown };
  /**
   * Handling of a prompt that arrives during a turn of its session:
   *
   * - `queue`: the prompt waits. At most {@link MAX_WAITING_PROMPTS} prompts wait.
   * - `reject`: the prompt is refused with `-32600`.
   * - `replace`: the prompt cancels the running prompt and the waiting prompts.
   *
   * @defaultValue "queue"
   */
  readonly whilePrompting?: "queue" | "reject" | "replace";
  /**
   * Handling of an idempotency key that belongs to another prompt of the session:
   *
   * - `error`: the prompt is refused with `-32602`, and `data.reason` is `key_reused`.
   * - `original`: the client gets the id of the original message.
   *
   * @defaultValue "error"
   */
  readonly onKeyReuse?: "error" | "original";
  /**
   * Handlers of extension methods, for requests and notifications. `createExtension` makes handlers that check their params
   * and result. The name of your own method begins with `_`, because clients of turnkit send no others. A handler of a method
   * of the protocol is not used, and is reported as `unused_option`. To call extensions of the client, use `request` and
   * `notify` of `session.client`.
   */
  readonly extensions?: Readonly<Record<string, Extension>>;
  /**
   * Answers requests and notifications that have no other handler: neither in the dialect nor in `extensions`. The runtime
   * does not check the params. Throw `RpcError.methodNotFound(method)` for an unknown method.
   */
  fallback?(method: string, params: unknown, signal: AbortSignal): unknown;
};
