import type { Wire } from "@turnkit/testing/node";

/** A client under test, used as its documentation tells a user to. */
export interface ClientParty {
  readonly name: string;
  /** Connects and initializes. */
  connect(wire: Wire, onUpdate: OnUpdate): Promise<ConnectedClient>;
}

/** The user's asynchronous listener: it gets the session's id and the update as the user sees it. */
export type OnUpdate = (sessionId: string, update: unknown) => Promise<void>;

/** Actions of a script on a connected client. */
export interface ConnectedClient {
  /** Opens a session in `/tmp`. */
  newSession(): Promise<{ readonly sessionId: string }>;
  /** Prompts; resolves, when the user may believe that the turn is over, with the stop reason. */
  prompt(sessionId: string): Promise<string>;
  /** Asks the agent to stop. */
  cancel(sessionId: string): unknown;
  /** A request that may be sent while listeners run. */
  setMode(sessionId: string, modeId: string): Promise<unknown>;
}

/** Answer of an agent under test to one prompt. */
export type AgentBehaviour = (turn: {
  readonly signal: AbortSignal;
  say(text: string): Promise<void>;
}) => Promise<void>;

/** An agent under test, used as its documentation tells a user to. */
export interface AgentParty {
  readonly name: string;
  /** `setMode` is how long the agent takes to change its mode. */
  serve(wire: Wire, prompt: AgentBehaviour, setMode?: () => Promise<void>): void;
}
