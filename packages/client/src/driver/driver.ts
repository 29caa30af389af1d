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

/** Identity and capabilities of the agent. They are fixed for the life of the connection. */
export type Peer = {
  /** Dialect of both sides: version 1, version 2, or the draft of version 2 of June 2026 (`seed`). */
  readonly dialect: DialectName;
  /** Name and version; `unknown` if the agent did not send them, as version 1 and older drafts allow. */
  readonly info: Implementation;
  /** Capabilities of the agent. A capability that the agent did not send is absent. */
  readonly capabilities: AgentCapabilities;
  /** Ways to log in; empty if the agent needs none. */
  readonly authMethods: readonly AuthMethod[];
};

/** Part of a client that answers its agent. Everything runs at receipt, in wire order. */
export type AgentHost = HandlerHost & {
  readonly options: ClientOptions;
  readonly sessions: {
    /**
     * Delivers the updates of one message. Updates of an unknown session wait while a request is open whose answer may
     * name it.
     */
    update(sessionId: string, events: readonly SessionEvent[], bytes: number): void;
  };
};

/** Dialect and agent of one connection, with the calls and turns of both. */
export interface Driver {
  readonly peer: Peer;
  readonly dialect: Dialect;
  /** Returns the route of a method that the agent calls. */
  readonly routes: (method: string) => Route | undefined;
  readonly call: Call;
  /** Sends the cancel of a session. Events and questions are left to the session. */
  cancel(sessionId: string): void;
  /** Returns the turns of one session. */
  openTurns(session: TurnSession): SessionTurns;
}

/** Introduction of this side. `plain` leaves out fields that only agents of older versions read. */
export type Hello = {
  readonly info: Implementation;
  readonly capabilities: ClientCapabilities;
  readonly plain: boolean;
};

/** Dialect of the protocol as data: its `initialize`, its messages and its rules. */
export interface Dialect extends DialectRules {
  readonly dialect: DialectName;
  readonly version: number;
  /** Month of the specification. The later one wins if both sides speak two dialects. */
  readonly since: `${number}-${number}`;
  /** Codec of the calls of this side. */
  readonly codec: ClientCodec;
  /** Codec of the messages of the agent. */
  readonly inbound: ClientCodec;
  /** Schemas of the messages that a client reads. Files, terminals and elicitations bring their own. */
  readonly contract: Contract;
  hello(introduction: Hello): object;
  /** Returns the dialect of an answer to `initialize`. Dialects of one version differ by its shape. */
  dialectOf(answer: object): DialectName | undefined;
}
