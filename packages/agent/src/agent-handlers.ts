import type {
  AuthMethod,
  ConfigOption,
  Implementation,
  ListSessions,
  SessionPage,
  SessionPlace,
  StopReason,
} from "@turnkit/session";
import type { ClientCall } from "./client-call.js";
import type { ClientInfo } from "./client-info.js";
import type { AgentSession, CommandOffer } from "./session.js";
import type { SessionLog } from "./session-log.js";
import type { Turn } from "./turn.js";
import type { TurnResult } from "./turn-end.js";

type Awaitable<T> = T | Promise<T>;

/** Place and MCP servers of a new session. */
export type NewSession = SessionPlace;

/** Session to restore. Updates that the handler emits reach the client before the answer: replay history there. */
export type RestoreSession = SessionPlace & {
  readonly sessionId: string;
  /** True if the client wants the history. Always false with a `log`, which replays by itself. */
  readonly replay: boolean;
};

/** Start of a session. `data` belongs to the agent and is `session.data` from then on. */
export type SessionSetup<S> = {
  /**
   * Options for the user. Version 1 also offers a select of category `mode` or `model` as mode or model. A client without
   * boolean options gets a select of `on` and `off`.
   */
  readonly configOptions?: readonly ConfigOption[];
  /** Slash commands. In version 1 they follow the answer as an update. */
  readonly availableCommands?: readonly CommandOffer[];
} & (undefined extends S ? { readonly data?: S } : { readonly data: S });

/** Result of a handler that opens a session. An agent whose sessions have no data may return nothing. */
export type SetupAnswer<S> = SessionSetup<S> | (undefined extends S ? void : never);

/**
 * Handler of an extension method. Params are not checked. The returned value is the result of a request. `signal` fires when
 * the client cancels the request or the connection ends.
 */
export type Extension = (params: unknown, signal: AbortSignal, client: ClientInfo) => unknown;

/**
 * Handlers of an agent. Capabilities are derived from the members that exist.
 *
 * A thrown `RpcError` is the answer; any other error is answered with `-32603`. Handlers of one session start in the order
 * of the client's calls. All but `prompt` also end before the next one starts.
 */
export type AgentHandlers<S = undefined> = {
  readonly info: Implementation;
  /**
   * Opens a session. Only an agent whose sessions have no data may leave it out. Updates that are emitted here reach the client
   * right after the answer. Files, terminals and questions belong to turns: the client does not know the session yet. Use
   * `call` for input that only the person can give.
   *
   * @throws RpcError `RpcError.authRequired()` if the user has to log in first
   */
  newSession?(request: NewSession, session: AgentSession<S>, call: ClientCall): Awaitable<SetupAnswer<S>>;
  /**
   * Answers a prompt. Returns the stop reason and the usage; nothing means `end_turn`.
   *
   * Once `turn.signal` fired the turn ends as `cancelled`, whatever is returned or thrown. Any other error, and the reason
   * `error`, fail the prompt. In version 2 the prompt is answered earlier, and an update reports the error. Prompts of one
   * session run one after the other, those of several sessions at the same time.
   */
  prompt(turn: Turn<S>): Awaitable<TurnResult | StopReason | undefined | void>;
  /**
   * Storage of the sessions. It gives list, load, resume, replay and delete without another handler, also after a crash. The
   * end of a turn reaches the client once it is stored. An end that cannot be stored is an error.
   *
   * - A session that the log does not have does not exist.
   * - A restored session has its whole history in `session.state`. Its data comes from `restoreSession` or `newSession`.
   * - Without `restoreSession`, `newSession` sets the session up again: its updates are not sent twice, and the user's choices
   *   are made again through `setConfigOption`.
   * - `listSessions` replaces the log's list. `deleteSession` runs before the log deletes, and may refuse by throwing.
   */
  readonly log?: SessionLog;
  /**
   * Restores a session (load and resume; one method in version 2). Give replayed messages, tool calls and terminals their
   * earlier ids.
   *
   * The runtime first cancels the turns of an open session with this id. With a `closeSession`, that session is closed before
   * this runs. Without one, it goes on if this throws.
   *
   * With a `log` the history is replayed already: return the data that goes with `session.state`, and lists that changed.
   * Updates that are emitted here are stored and sent once this has returned. If this throws, they are dropped.
   *
   * @throws RpcError `RpcError.resourceNotFound({ sessionId })` for a session that does not exist
   */
  restoreSession?(request: RestoreSession, session: AgentSession<S>): Awaitable<SetupAnswer<S>>;
  /**
   * Takes a value that the user chose, also during a turn. Modes and models of version 1 come here too. The value fits the
   * option. Throw to refuse it; otherwise the runtime changes the option and sends it to the client. Change options that
   * depend on it by `session.setConfigOptions`. Without this handler every choice is accepted.
   */
  setConfigOption?(session: AgentSession<S>, configId: string, value: string | boolean): Awaitable<void>;
  /**
   * Returns a page of the sessions that can be restored. Without this handler version 1 and seed have no list, and version 2
   * lists the open sessions of the connection, 100 a page. Additional directories are sent only by agents with that
   * capability.
   *
   * @throws RpcError `-32602` for a cursor that is not valid
   */
  listSessions?(request: ListSessions, signal: AbortSignal): Awaitable<SessionPage>;
  /**
   * Deletes a session. An open session is closed first. Deleting a session that does not exist succeeds, also if the handler
   * throws `RpcError.resourceNotFound()`.
   */
  deleteSession?(sessionId: string, signal: AbortSignal): Awaitable<void>;
  /**
   * Cleans up a session that the client closes or restores anew, or whose connection ended. Called once for each session that
   * was opened, after its turns (at most a second after the connection ended). Errors go to `onDiagnostic`.
   */
  closeSession?(session: AgentSession<S>): Awaitable<void>;
  /** Login methods. Those of type `agent` need `login`; those of type `terminal` are sent only to clients that support them. */
  readonly authMethods?: readonly AuthMethod[];
  /**
   * Logs the user in by a method of type `agent`. `signal` fires when the client cancels or the connection ends. Use `call` for
   * input that only the person can give.
   */
  login?(methodId: string, signal: AbortSignal, call: ClientCall): Awaitable<void>;
  /**
   * Logs the user out. Version 2 demands it of agents with `authMethods`. Without it `logout` is answered with `-32601`.
   */
  logout?(signal: AbortSignal): Awaitable<void>;
  /** Blocks of prompts beyond text and resource links. Others are refused with `-32602` before a handler runs. */
  readonly promptCapabilities?: {
    readonly image?: boolean;
    readonly audio?: boolean;
    readonly embeddedContext?: boolean;
  };
  /** Transports of MCP servers beyond stdio; SSE exists in version 1 only. Others are refused with `-32602`. */
  readonly mcpCapabilities?: { readonly http?: boolean; readonly sse?: boolean };
  /** Features of sessions that follow from no handler. Additional directories are refused with `-32602` without theirs. */
  readonly sessionCapabilities?: { readonly additionalDirectories?: boolean };
  /**
   * Custom features, under names that hold a domain: `{ "example.com": { undo: true } }`. They are sent in `_meta` of the
   * capabilities. Check `client.capabilities._meta` for those of the client before use.
   */
  readonly customCapabilities?: { readonly [domain: `${string}.${string}`]: unknown };
  /**
   * Handling of a prompt that arrives during a turn of its session.
   *
   * - `queue`: it waits; at most {@link MAX_WAITING_PROMPTS} do.
   * - `reject`: it is refused with `-32600`.
   * - `replace`: it cancels the running and the waiting prompts.
   *
   * @defaultValue "queue"
   */
  readonly whilePrompting?: "queue" | "reject" | "replace";
  /**
   * Extension methods for requests and notifications; names begin with `_`. Call those of the client by `request` and
   * `notify` of `session.client`.
   */
  readonly extensions?: Readonly<Record<`_${string}`, Extension>>;
  /**
   * Answers requests and notifications that neither the dialect with these handlers nor `extensions` has. Params are not
   * checked. Throw `RpcError.methodNotFound(method)` for an unknown method.
   */
  fallback?(method: string, params: unknown, signal: AbortSignal): unknown;
};
