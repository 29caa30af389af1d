import type {
  Activity,
  AgentCapabilities,
  AuthMethod,
  ClientCapabilities,
  ConfigOption,
  ContentBlock,
  DialectName,
  ErrorObject,
  Implementation,
  PermissionOutcome,
  PermissionQuestion,
  SessionEvent,
  SessionLists,
  SessionPlace,
  SessionState,
} from "@turnkit/session";
import type { Calls } from "@turnkit/session/codec";
import type { Connection, Contract, Diagnostic, InboundCall, RequestSignal, Route } from "@turnkit/transport";
import type { Elicitations } from "../elicitations.js";
import type { FileHandlers } from "../host/file-routes.js";
import type { TerminalHandlers } from "../host/terminal-routes.js";
import type { LiveSession } from "../live-session.js";
import type { LiveTurn } from "../live-turn.js";

/** Who is on the other side, and what it can do. Fixed for the connection's life. */
export type Peer = {
  /** What both sides speak: version 1, version 2, or the draft of version 2 of June 2026 (`seed`). */
  readonly dialect: DialectName;
  /** Name and version; `unknown` where the agent did not say, as it may in version 1 and older drafts. */
  readonly info: Implementation;
  /** What the agent did not say that it can do, it cannot. */
  readonly capabilities: AgentCapabilities;
  /** Ways to log in; empty where the agent needs none. */
  readonly authMethods: readonly AuthMethod[];
};

/** What every dialect asks of the client. All run at receipt, in wire order. */
export interface Desk {
  readonly files: FileHandlers | undefined;
  readonly terminals: TerminalHandlers | undefined;
  readonly elicitations: Elicitations | undefined;
  /** Who asks, by what it says of itself. */
  readonly agent: Implementation;
  readonly sessions: readonly LiveSession[];
  /** @throws RpcError `-32002` for a session that this connection did not open */
  session(sessionId: string): LiveSession;
  /** Updates of a session that is not known yet are kept while a request that may name it is open. */
  update(sessionId: string, events: readonly SessionEvent[], bytes: number): void;
  /** @throws RpcError `-32002` for a session that this connection did not open */
  ask(sessionId: string, question: PermissionQuestion, call: InboundCall): Promise<PermissionOutcome>;
  extension(method: string): Route | undefined;
  report(diagnostic: Diagnostic): void;
}

/** What a question of the agent is about, as far as it says. */
export type Work = { readonly toolCallId?: string | null; readonly terminalId?: string | null };

/** How a turn was given up by this side. */
export type LostTurn = { readonly stopReason: "cancelled" | "error"; readonly error?: ErrorObject };

/** What is sent to prompt a session. */
export type PromptMessage = Omit<Calls["prompt"]["params"], "sessionId">;

/** Callbacks that get the answer to a request at its receipt, and the signal that withdraws the request. */
export type Answered<R> = {
  readonly received?: (result: R) => void;
  readonly failed?: (error: unknown) => void;
  readonly signal?: RequestSignal | undefined;
};

/** One dialect as a client speaks it to one agent. */
export interface Driver {
  readonly peer: Peer;
  /** What is read of the agent. */
  readonly contract: Contract;
  readonly routes: (method: string) => Route | undefined;
  /** Whether the agent holds prompts that come while it works. Else they wait on this side, and one is sent at a time. */
  readonly holdsPrompts: boolean;
  /** Whether a request may have the id `null`: the older dialects allow it. */
  readonly nullIds: boolean;
  /**
   * `opened` runs at receipt of the answer: updates may follow in the same write.
   *
   * @throws CapabilityError for a place that the agent does not take
   */
  newSession(place: SessionPlace, opened: (sessionId: string, lists: SessionLists) => void): Promise<void>;
  /**
   * How the agent would restore a session; nothing is sent.
   *
   * @throws CapabilityError where it cannot, or not in such a place
   */
  planRestore(place: SessionPlace): { readonly replays: boolean };
  /** Sends the request of {@link planRestore}. The replay comes before `on` gets the answer. */
  restoreSession(sessionId: string, place: SessionPlace, on: Answered<SessionLists>): Promise<void>;
  /** @throws CapabilityError for content that the agent does not take */
  checkPrompt(content: readonly ContentBlock[]): void;
  /** Sends the prompt now, then tells the session so; finishes the turn at its end. */
  prompt(session: LiveSession, turn: LiveTurn): void;
  /** Something of the session arrived while the turn was open and nobody knew whether the agent had taken it. */
  signOfLife(session: LiveSession, turn: LiveTurn): void;
  /** The session was told an update of the agent. `before`, of a state update alone, is the activity before it. */
  updated(session: LiveSession, event: SessionEvent, before: Activity | undefined): void;
  /** Takes a prompt back that other turns must not suffer from; `false` where only a cancel of all work can. */
  withdraw(turn: LiveTurn): boolean;
  /** The session is over before a turn that was sent; tells the session so. */
  lose(session: LiveSession, turn: LiveTurn, how: LostTurn): void;
  /** Sends the cancel; the session sees to its events and questions. */
  cancel(sessionId: string): void;
  /** Whether a question belongs to the work that a cancel ends, so that it is dismissed with it. */
  endsWithCancel(work: Work, state: SessionState): boolean;
  /** @throws CapabilityError unless the tool call offers it at this moment */
  cancelToolCall(session: LiveSession, toolCallId: string): Promise<void>;
  /** @throws CapabilityError unless the terminal offers it at this moment */
  cancelTerminal(session: LiveSession, terminalId: string): Promise<void>;
  /** Tells the session the new value at receipt of the answer. */
  setConfigOption(session: LiveSession, option: ConfigOption, value: string | boolean): Promise<void>;
  /** Ends what the session does, and the session where the agent can. One that the agent does not know is closed. */
  closeSession(session: LiveSession, on: Answered<unknown>): Promise<void>;
  /** @throws CapabilityError for a method that the agent did not offer or does not run itself */
  login(methodId: string, signal?: AbortSignal): Promise<void>;
  /** @throws CapabilityError where the agent offers none */
  logout(): Promise<void>;
  /** One page. @throws CapabilityError where the agent lists none */
  listSessions(params: Calls["listSessions"]["params"], signal?: AbortSignal): Promise<Calls["listSessions"]["result"]>;
  /**
   * One that the agent does not know is deleted. `deleted` runs once, at receipt of the answer.
   *
   * @throws CapabilityError where the agent deletes none
   */
  deleteSession(sessionId: string, deleted: () => void): Promise<void>;
}

/** What this side says of itself; `plain` leaves out what only agents of older versions read. */
export type Hello = {
  readonly info: Implementation;
  readonly capabilities: ClientCapabilities;
  readonly plain: boolean;
};

/** One dialect as a client speaks it, before a driver exists: its `initialize`. */
export interface Dialect {
  readonly dialect: DialectName;
  readonly version: number;
  /** The month of its text: of two that both sides speak the later counts. */
  readonly since: `${number}-${number}`;
  hello(introduction: Hello): object;
  /** Whose answer of this version it is: dialects that share a version number are told apart by its shape. */
  dialectOf(answer: object): DialectName | undefined;
  /** @throws InvalidMessageError where the answer breaks the schema */
  createDriver(connection: Connection, desk: Desk, answer: object): Driver;
}
