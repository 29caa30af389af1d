import type {
  AgentCapabilities,
  AuthMethod,
  ClientCapabilities,
  ContentBlock,
  DialectName,
  Implementation,
  SessionEvent,
  SessionPlace,
} from "@turnkit/session";
import type { Connection, Route } from "@turnkit/transport";
import type { ClientOptions } from "../client-options.js";
import type { HandlerHost } from "../host/hosted-session.js";
import type { Call, DialectRules, Restoration, SessionTurns, TurnSession } from "./dialect-rules.js";

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
    /** Delivers the updates of one message. Those of an unknown session wait while a request that may name it is open. */
    update(sessionId: string, events: readonly SessionEvent[], bytes: number): void;
  };
};

/** One dialect as a client speaks it to one agent. */
export interface Driver {
  readonly peer: Peer;
  readonly routes: (method: string) => Route | undefined;
  readonly rules: DialectRules;
  readonly call: Call;
  /** Sends the cancel of a session. Events and questions are left to the session. */
  cancel(sessionId: string): void;
  /**
   * Returns the request that restores a session. Sends nothing.
   *
   * @throws CapabilityError if the agent cannot restore sessions, or not in this place
   */
  planRestore(place: SessionPlace): Restoration;
  /**
   * Checks the content of a prompt.
   *
   * @throws CapabilityError for content that the agent does not take
   * @throws InvalidMessageError for an empty prompt, which version 2 does not allow
   */
  checkPrompt(content: readonly ContentBlock[]): void;
  /** Returns the turns of one session. */
  openTurns(session: TurnSession): SessionTurns;
}

/** Introduction of this side. `plain` leaves out fields that only agents of older versions read. */
export type Hello = {
  readonly info: Implementation;
  readonly capabilities: ClientCapabilities;
  readonly plain: boolean;
};

/** One dialect before a connection: its `initialize`, and its driver. */
export interface Dialect {
  readonly dialect: DialectName;
  readonly version: number;
  /** Month of the specification. The later one wins if both sides speak two dialects. */
  readonly since: `${number}-${number}`;
  hello(introduction: Hello): object;
  /** Returns the dialect of an answer to `initialize`. Dialects of one version differ by its shape. */
  dialectOf(answer: object): DialectName | undefined;
  /** @throws InvalidMessageError if the answer breaks the schema */
  createDriver(connection: Connection, host: AgentHost, answer: object): Driver;
}
