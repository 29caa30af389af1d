import type {
  AgentCapabilities,
  AuthMethod,
  ClientCapabilities,
  DialectName,
  Implementation,
  SessionEvent,
} from "@turnkit/session";
import type { ClientCodec } from "@turnkit/session/codec";
import type { Contract, Route } from "@turnkit/transport";
import type { ClientOptions } from "../client-options.js";
import type { HandlerHost } from "../host/hosted-session.js";
import type { Call, DialectRules, SessionTurns, TurnSession } from "./dialect-rules.js";

/** Identity and capabilities of the agent. Both stay the same for the whole connection. */
export type Peer = {
  /** Dialect of the connection: version 1, version 2, or the draft of version 2 of June 2026 (`seed`). */
  readonly dialect: DialectName;
  /**
   * Name and version of the agent. Both are `unknown` if the agent did not send them, as version 1 and older drafts allow.
   */
  readonly info: Implementation;
  /** Capabilities of the agent. A capability that the agent did not send is absent. */
  readonly capabilities: AgentCapabilities;
  /** Login methods of the agent. Empty if the agent needs no login. */
  readonly authMethods: readonly AuthMethod[];
};

/** Part of a client that answers the agent. Its functions run when a message is received, in the order of the wire. */
export type AgentHost = HandlerHost & {
  readonly options: ClientOptions;
  readonly sessions: {
    /**
     * Delivers the updates of one message. Updates of an unknown session wait while an open request may still return that
     * session.
     */
    update(sessionId: string, events: readonly SessionEvent[], bytes: number): void;
  };
};

/** Dialect and agent of one connection, with the calls and turns in that dialect. */
export interface Driver {
  readonly peer: Peer;
  readonly dialect: Dialect;
  /** Returns the route of a method that the agent calls. */
  readonly routes: (method: string) => Route | undefined;
  readonly call: Call;
  /** Sends the cancel of a session. The session itself publishes events and dismisses questions. */
  cancel(sessionId: string): void;
  /** Returns the turns of one session. */
  openTurns(session: TurnSession): SessionTurns;
}

/** Name, version and capabilities that the client sends. `plain` omits fields that only agents of older versions read. */
export type Hello = {
  readonly info: Implementation;
  readonly capabilities: ClientCapabilities;
  readonly plain: boolean;
};

/** Dialect of the protocol as data: its `initialize`, its messages and its rules. */
export interface Dialect extends DialectRules {
  readonly dialect: DialectName;
  readonly version: number;
  /** Month of the specification. If both sides support two dialects, the later one is used. */
  readonly since: `${number}-${number}`;
  /** Codec of the calls that the client sends. */
  readonly codec: ClientCodec;
  /** Codec of the messages that the agent sends. */
  readonly inbound: ClientCodec;
  /** Schemas of the messages that a client reads. Handlers for files, terminals and elicitations have their own schemas. */
  readonly contract: Contract;
  hello(introduction: Hello): object;
  /**
   * Returns the dialect of an answer to `initialize`. The form of the answer differs between the dialects of one version.
   */
  dialectOf(answer: object): DialectName | undefined;
}
