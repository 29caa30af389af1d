import type {
  AuthMethod,
  AvailableCommand,
  ConfigOption,
  Implementation,
  Loss,
  SessionPlace,
  StateLimits,
  StopReason,
} from "@turnkit/session";
import type { Channel, CloseReason, ConnectionLimits, Diagnostic } from "@turnkit/transport";
import { serve } from "./served.js";
import type { AgentSession } from "./session.js";
import type { Turn } from "./turn.js";

type Awaitable<T> = T | Promise<T>;

/** Where a new session is to work and with what. */
export type NewSession = SessionPlace;

/** Which session to bring back. What is emitted inside the handler is the replay: it reaches the client first. */
export type RestoreSession = SessionPlace & {
  readonly sessionId: string;
  /** Whether the client wants what was said so far; if not, restore silently. */
  readonly replay: boolean;
};

/** What a session starts with. `data` is the agent's own and comes back as `session.data`. */
export type SessionSetup<S> = {
  readonly configOptions?: readonly ConfigOption[];
  readonly availableCommands?: readonly AvailableCommand[];
} & (undefined extends S ? { readonly data?: S } : { readonly data: S });

/** An agent whose sessions carry no data may answer with nothing. */
export type SetupAnswer<S> = SessionSetup<S> | (undefined extends S ? void : never);

/** What an agent does. Capabilities are derived from the members that exist. */
export type AgentHandlers<S = undefined> = {
  readonly info: Implementation;
  /** A client opens a session. Updates emitted here reach it right after the answer; asking the client here throws. */
  newSession(request: NewSession, session: AgentSession<S>): Awaitable<SetupAnswer<S>>;
  /**
   * One prompt. Returns why it ended; nothing means `end_turn`. Once `turn.signal` fired the turn ends as `cancelled`,
   * whatever is returned or thrown. Another error fails the prompt.
   */
  prompt(turn: Turn<S>): Awaitable<StopReason | undefined | void>;
  /** Brings a session back. Throw `RpcError.resourceNotFound` for one that does not exist. Gives load and resume. */
  restoreSession?(request: RestoreSession, session: AgentSession<S>): Awaitable<SetupAnswer<S>>;
  /**
   * The user chose a value (v1 modes and models come here too); the value was checked against the option. Throw to
   * refuse. Without this handler every choice is accepted.
   */
  setConfigOption?(session: AgentSession<S>, configId: string, value: string | boolean): Awaitable<void>;
  /** The client is done with a session, or the connection ended; its turns were cancelled before. */
  closeSession?(session: AgentSession<S>): Awaitable<void>;
  /** Ways to log in; needs `login` for those of type `agent`. */
  readonly authMethods?: readonly AuthMethod[];
  login?(methodId: string, signal: AbortSignal): Awaitable<void>;
  /** What prompts and sessions may hold beyond the baseline (text, resource links, stdio MCP servers). */
  readonly accepts?: {
    readonly image?: boolean;
    readonly audio?: boolean;
    readonly embeddedContext?: boolean;
    readonly mcpHttp?: boolean;
    readonly mcpSse?: boolean;
    readonly additionalDirectories?: boolean;
  };
  /**
   * A prompt that arrives during a turn of its session waits (`queue`, the default, at most 100), is refused with
   * `-32600` (`reject`), or cancels what runs and what waits (`replace`).
   */
  readonly whilePrompting?: "queue" | "reject" | "replace";
  /** Requests and notifications of one's own; names begin with `_`. */
  readonly extensions?: Readonly<Record<`_${string}`, (params: unknown, signal: AbortSignal) => unknown>>;
};

/** How one connection is served. */
export type ServeOptions = {
  readonly limits?: Partial<ConnectionLimits> & Partial<StateLimits>;
  /** How long a cancelled turn may take to clean up before it is ended and muted; 10 000 ms unless said otherwise. */
  readonly cancelGraceMs?: number;
  /** Checks everything that is sent against the schema; for tests and debugging. */
  readonly validateOutgoing?: boolean;
  readonly onDiagnostic?: (diagnostic: Diagnostic) => void;
  /** Something could not be said in the client's dialect. */
  readonly onLoss?: (loss: Loss, sessionId: string) => void;
};

/** One connection being served. */
export interface Served extends AsyncDisposable {
  /** Settles when the connection ended and its sessions were closed. Never rejects. */
  readonly closed: Promise<CloseReason>;
  /** Cancels all turns, sends what waits, closes. */
  close(): Promise<void>;
}

/** An agent, ready to serve any number of connections; sessions belong to the connection that opened them. */
export interface Agent {
  serve(channel: Channel, options?: ServeOptions): Served;
}

/**
 * Makes an agent out of handlers. It speaks the protocol correctly by itself: answers leave after the updates they
 * follow, a cancelled turn ends as `cancelled`, capabilities are those of the handlers that exist.
 *
 * @example
 * const agent = createAgent({
 *   info: { name: "echo", version: "1.0.0" },
 *   newSession() {},
 *   prompt: (turn) => turn.say(turn.prompt[0]?.type === "text" ? turn.prompt[0].text : "?"),
 * });
 */
export function createAgent<S = undefined>(handlers: AgentHandlers<S>): Agent {
  if (handlers.authMethods?.some((method) => method.type === "agent") && handlers.login === undefined) {
    throw new TypeError("createAgent: authMethods of type agent need a login handler.");
  }
  return { serve: (channel, options = {}) => serve(handlers, channel, options) };
}
