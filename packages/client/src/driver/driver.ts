import type {
  AgentCapabilities,
  AuthMethod,
  ClientCapabilities,
  ConfigOption,
  ContentBlock,
  Dialect,
  Implementation,
  PermissionOutcome,
  PermissionQuestion,
  SessionEvent,
  SessionLists,
  SessionPlace,
  SessionState,
} from "@turnkit/session";
import type { Connection, Contract, Diagnostic, InboundCall, Route } from "@turnkit/transport";
import type { FileHost } from "../host/files.js";
import type { TerminalHost } from "../host/terminals.js";
import type { LiveSession } from "../live-session.js";
import type { LiveTurn } from "../live-turn.js";

/** Who is on the other side, and what it can do. Fixed for the connection's life. */
export type Peer = {
  /** The version of the protocol that both sides speak. */
  readonly dialect: Dialect;
  /** Name and version; `unknown` where version 1 did not say. */
  readonly info: Implementation;
  /** What the agent did not say that it can do, it cannot. */
  readonly capabilities: AgentCapabilities;
  /** Ways to log in; empty where the agent needs none. */
  readonly authMethods: readonly AuthMethod[];
};

/** What every dialect asks of the client. All run at receipt, in wire order. */
export interface Desk {
  readonly files: FileHost | undefined;
  readonly terminals: TerminalHost | undefined;
  /** @throws RpcError `-32002` for a session that this connection did not open */
  session(sessionId: string): LiveSession;
  /** Updates of a session that is not known yet are kept while a request that may name it is open. */
  update(sessionId: string, events: readonly SessionEvent[], bytes: number): void;
  /** @throws RpcError `-32002` for a session that this connection did not open */
  ask(sessionId: string, question: PermissionQuestion, call: InboundCall): Promise<PermissionOutcome>;
  extension(method: string): Route | undefined;
  report(diagnostic: Diagnostic): void;
}

/** One dialect as a client speaks it to one agent. */
export interface Driver {
  readonly peer: Peer;
  readonly contract: Contract;
  readonly routes: (method: string) => Route | undefined;
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
  /** As planned. The replay comes before `opened` runs. */
  restoreSession(sessionId: string, place: SessionPlace, opened: (lists: SessionLists) => void): Promise<void>;
  /** @throws CapabilityError for content that the agent does not take */
  checkPrompt(content: readonly ContentBlock[]): void;
  /** Sends the prompt now, then tells the session so; finishes the turn at its end. */
  prompt(session: LiveSession, turn: LiveTurn, content: readonly ContentBlock[]): void;
  /** Something of the session arrived while the turn was open and nobody knew whether the agent had taken it. */
  signOfLife(session: LiveSession, turn: LiveTurn): void;
  /** Sends the cancel; the session sees to its events and questions. */
  cancel(sessionId: string): void;
  /** Whether a question belongs to the work that a cancel ends, so that it is dismissed with it. */
  endsWithCancel(question: PermissionQuestion, state: SessionState): boolean;
  /** Tells the session the new value at receipt of the answer. */
  setConfigOption(session: LiveSession, option: ConfigOption, value: string | boolean): Promise<void>;
  /** Ends what the session does, and the session where the agent can. One that the agent does not know is closed. */
  closeSession(session: LiveSession): Promise<void>;
  /** @throws CapabilityError for a method that the agent did not offer or does not run itself */
  login(methodId: string, signal?: AbortSignal): Promise<void>;
}

/** One version of the protocol before a driver exists: its `initialize`. */
export interface Dialogue {
  readonly version: number;
  readonly contract: Contract;
  hello(info: Implementation, capabilities: ClientCapabilities): object;
  /** @throws InvalidMessageError where the answer breaks the schema */
  createDriver(connection: Connection, desk: Desk, answer: unknown): Driver;
}
