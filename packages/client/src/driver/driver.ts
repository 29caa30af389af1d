import type {
  AgentCapabilities,
  AuthMethod,
  ClientCapabilities,
  ContentBlock,
  Dialect,
  Implementation,
  PermissionOutcome,
  PermissionQuestion,
  SessionEvent,
  SessionLists,
  SessionPlace,
} from "@turnkit/session";
import type { Connection, Contract, InboundCall, Route } from "@turnkit/transport";
import type { FileHost } from "../host/files.js";
import type { TerminalHost } from "../host/terminals.js";
import type { LiveSession } from "../session.js";
import type { LiveTurn } from "../turn.js";

/** Who is on the other side, and what it can do. */
export type Peer = {
  readonly dialect: Dialect;
  readonly info: Implementation;
  readonly capabilities: AgentCapabilities;
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
  ask(sessionId: string, question: PermissionQuestion, call: InboundCall): Promise<PermissionOutcome>;
  extension(method: string): Route | undefined;
}

/** One dialect as a client speaks it to one agent. */
export interface Driver {
  readonly peer: Peer;
  readonly contract: Contract;
  readonly routes: (method: string) => Route | undefined;
  /** `opened` runs at receipt of the answer: updates may follow in the same write. */
  newSession(place: SessionPlace, opened: (sessionId: string, lists: SessionLists) => void): Promise<void>;
  /** @throws CapabilityError where the agent can do neither load nor resume */
  restoreSession(
    sessionId: string,
    place: SessionPlace,
    opened: (lists: SessionLists) => void,
  ): Promise<{ readonly replayed: boolean }>;
  /** @throws CapabilityError for content that the agent does not take */
  checkPrompt(content: readonly ContentBlock[]): void;
  /** Sends the prompt now and finishes the turn at its end. */
  prompt(session: LiveSession, turn: LiveTurn, content: readonly ContentBlock[]): void;
  /** Something of the session arrived while the turn was open. */
  signOfLife(turn: LiveTurn): void;
  cancel(sessionId: string): void;
  setConfigOption(session: LiveSession, configId: string, value: string | boolean): Promise<void>;
  closeSession(sessionId: string): Promise<void>;
  login(methodId: string, signal?: AbortSignal): Promise<void>;
}

/** One version of the protocol before a driver exists: its `initialize`. */
export interface Dialogue {
  readonly version: number;
  hello(info: Implementation, capabilities: ClientCapabilities): object;
  /** @throws InvalidMessageError where the answer breaks the schema */
  createDriver(connection: Connection, desk: Desk, answer: unknown): Driver;
}
