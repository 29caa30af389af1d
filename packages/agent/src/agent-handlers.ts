import type {
  AuthMethod,
  AvailableCommand,
  ConfigOption,
  Implementation,
  SessionPlace,
  StopReason,
  TokenUsage,
} from "@turnkit/session";
import type { Calls } from "@turnkit/session/codec";
import type { ClientCall } from "./client-call.js";
import type { ClientInfo } from "./driver/driver.js";
import type { AgentSession } from "./session.js";
import type { SessionLog } from "./session-log.js";
import type { Turn } from "./turn.js";

type Awaitable<T> = T | Promise<T>;

/** Where a new session is to work and with what. */
export type NewSession = SessionPlace;

/**
 * Which session to bring back. What is emitted inside the handler reaches the client before the answer: that is where the
 * replay goes.
 */
export type RestoreSession = SessionPlace & {
  readonly sessionId: string;
  /** Whether the client wants what was said so far; if not, restore silently. Never with a `log`: that tells it itself. */
  readonly replay: boolean;
};

/** Which sessions a client wants to see; `cwd` means sessions of exactly that folder. Cursors are the agent's own. */
export type ListSessions = Calls["listSessions"]["params"];

/** A page of sessions, and the cursor of the next one if there is any. */
export type SessionPage = Calls["listSessions"]["result"];

/** What a session starts with. `data` is the agent's own and comes back as `session.data`. */
export type SessionSetup<S> = {
  /**
   * What the user may choose. In version 1 a select of category `mode` or `model` is also offered as mode or model, and
   * a boolean as `on` or `off` to clients that do not know booleans.
   */
  readonly configOptions?: readonly ConfigOption[];
  /** Slash commands. Version 1 cannot carry them in the answer: they follow it as an update. */
  readonly availableCommands?: readonly AvailableCommand[];
} & (undefined extends S ? { readonly data?: S } : { readonly data: S });

/** An agent whose sessions carry no data may answer with nothing. */
export type SetupAnswer<S> = SessionSetup<S> | (undefined extends S ? void : never);

/** How a turn ended. */
export type TurnResult = {
  /** `end_turn` unless said otherwise. */
  readonly stopReason?: StopReason;
  /** Tokens that this turn spent. Unstable in the protocol: clients may not know it. */
  readonly usage?: TokenUsage;
};

/**
 * Answers a method of one's own. Params come unchecked. What a request returns is its result; `signal` fires when the
 * client cancels it or the connection ends. `client` is who called.
 */
export type Extension = (params: unknown, signal: AbortSignal, client: ClientInfo) => unknown;

/**
 * What an agent does. Capabilities are derived from the members that exist.
 *
 * A handler that throws `RpcError` answers with it; anything else is answered with `-32603`. Handlers of one session
 * start in the order in which the client asked; all but `prompt` also end before the next one starts.
 */
export type AgentHandlers<S = undefined> = {
  readonly info: Implementation;
  /**
   * A client opens a session. Updates emitted here reach it right after the answer. Files, terminals and questions
   * belong to turns: the client does not know the session yet. What only the person can say is asked through `call`.
   *
   * @throws RpcError `RpcError.authRequired()` if the user has to log in first
   */
  newSession(request: NewSession, session: AgentSession<S>, call: ClientCall): Awaitable<SetupAnswer<S>>;
  /**
   * One prompt. Returns why it ended, and what it spent; nothing means `end_turn`. Once `turn.signal` fired the turn
   * ends as `cancelled`, whatever is returned or thrown. Another error, and the reason `error`, fail the prompt; in
   * version 2 the prompt was answered before, and the error is told with the end of the work. Prompts of one session
   * run one after the other, those of several sessions at the same time.
   */
  prompt(turn: Turn<S>): Awaitable<TurnResult | StopReason | undefined | void>;
  /**
   * Keeps the sessions: gives list, load, resume, replay and delete without another handler, also after the death of the
   * process. The end of a turn reaches the client once it is stored; one that cannot be stored is an error.
   *
   * A session that the log does not have does not exist. One that is restored goes on with all that was said, in
   * `session.state`, and its data comes from `restoreSession`; without that handler `newSession` sets it up again: what it
   * says then is not said twice, and what the user had chosen since is chosen again, through `setConfigOption`.
   * `listSessions` replaces the log's list; `deleteSession` runs before the log forgets, and may refuse by throwing.
   */
  readonly log?: SessionLog;
  /**
   * Restores a session (load and resume; one method in version 2). If the session is open here, the runtime first cancels
   * its turns. With a `closeSession`, the open session is closed before this runs and cannot go on. Without one, it goes on
   * if this throws. Give replayed messages, tool calls and terminals the ids that they had. With a `log`, all of
   * that is done already: return the data that goes with `session.state`, and lists where they are others than before.
   *
   * @throws RpcError `RpcError.resourceNotFound({ sessionId })` for one that does not exist
   */
  restoreSession?(request: RestoreSession, session: AgentSession<S>): Awaitable<SetupAnswer<S>>;
  /**
   * The user chose a value (version 1's modes and models come here too), also during a turn. The value was checked
   * against the option. Throw to refuse: nothing changes then. Otherwise the runtime changes the option and tells the
   * client; options that depend on it are changed here, by `session.setConfigOptions`. Without this handler every choice
   * is accepted.
   */
  setConfigOption?(session: AgentSession<S>, configId: string, value: string | boolean): Awaitable<void>;
  /**
   * Tells which sessions can be restored; a page at a time. Nothing is opened by it. Without this handler version 1 and
   * seed clients are told that there is no list, version 2 clients (which always may ask) see what is open here, 100 at
   * a time. Additional directories are told only by agents that accept them.
   *
   * @throws RpcError `-32602` for a cursor that is not valid
   */
  listSessions?(request: ListSessions, signal: AbortSignal): Awaitable<SessionPage>;
  /**
   * Forgets a session; one that is open is closed before. One that does not exist is forgotten already: that the handler
   * throws `RpcError.resourceNotFound()` for it is a success, too.
   */
  deleteSession?(sessionId: string, signal: AbortSignal): Awaitable<void>;
  /**
   * The client is done with a session, restores it anew, or the connection ended. Called once for each session that was
   * opened, after its turns ended (or a second after the connection did). What it throws goes to `onDiagnostic`.
   */
  closeSession?(session: AgentSession<S>): Awaitable<void>;
  /** Ways to log in; those of type `agent` need `login`. A client that cannot do `terminal` ones is not told of them. */
  readonly authMethods?: readonly AuthMethod[];
  /**
   * Logs the user in by a method of type `agent`. `signal` fires when the client gives up or the connection ends. What
   * only the person can say or do is asked through `call`.
   */
  login?(methodId: string, signal: AbortSignal, call: ClientCall): Awaitable<void>;
  /**
   * Logs the user out: what needs a login needs a new one. Version 2 demands it of agents with `authMethods`; without it
   * such a call is answered with `-32601`.
   */
  logout?(signal: AbortSignal): Awaitable<void>;
  /**
   * What prompts and sessions may hold beyond the baseline (text, resource links, MCP servers over stdio). Anything else
   * is refused with `-32602` and never seen by a handler. MCP servers over SSE exist in version 1 only.
   */
  readonly accepts?: {
    readonly image?: boolean;
    readonly audio?: boolean;
    readonly embeddedContext?: boolean;
    readonly mcpHttp?: boolean;
    readonly mcpSse?: boolean;
    readonly additionalDirectories?: boolean;
  };
  /**
   * Features of one's own, under names that hold a domain: `{ "example.com": { undo: true } }`. Clients find them in
   * `_meta` of the capabilities; what the client has of the kind is in `client.capabilities._meta`. Look before use.
   */
  readonly customCapabilities?: { readonly [domain: `${string}.${string}`]: unknown };
  /**
   * A prompt that arrives during a turn of its session waits (`queue`, the default, at most
   * {@link MAX_WAITING_PROMPTS}), is refused with `-32600` (`reject`), or cancels what runs and what waits (`replace`).
   */
  readonly whilePrompting?: "queue" | "reject" | "replace";
  /**
   * Requests and notifications of one's own; names begin with `_`. Those of the client are called by `request` and
   * `notify` of `session.client`.
   */
  readonly extensions?: Readonly<Record<`_${string}`, Extension>>;
  /**
   * Requests and notifications of every other method: whatever neither the client's version of the protocol, as far as
   * there are handlers for it, nor `extensions` has. As raw as those. Throw `RpcError.methodNotFound(method)` for what is
   * unknown here too.
   */
  fallback?(method: string, params: unknown, signal: AbortSignal): unknown;
};
