import type { Activity, AgentCapabilities, ErrorObject, SessionEvent, SessionState } from "@turnkit/session";
import type { Calls } from "@turnkit/session/codec";
import type { RequestSignal } from "@turnkit/transport";
import type { Work } from "../pending-questions.js";
import type { TurnEnd } from "../turn.js";

/** Callbacks that run at receipt of an answer, and the signal that withdraws the request. */
export type Answered<R> = {
  readonly received?: (result: R) => void;
  readonly failed?: (error: unknown) => void;
  readonly signal?: RequestSignal | undefined;
  /** Treats an error for an unknown session as an empty answer. */
  readonly orGone?: true;
};

/**
 * Sends a request. `on` gets the answer at its receipt: updates may follow in the same write.
 *
 * @throws CapabilityError for a call that the dialect, or the agent, does not have
 */
export type Call = <K extends keyof Calls>(
  name: K,
  params: Calls[K]["params"],
  on?: Answered<Calls[K]["result"]>,
) => Promise<Calls[K]["result"]>;

/** Request that restores a session. */
export type Restoration = {
  readonly call: "loadSession" | "resumeSession";
  /** True if the agent sends the earlier conversation before its answer. */
  readonly replays: boolean;
  readonly replayFrom?: { readonly type: "start" };
};

/** Differences between dialects, beside the shapes of their messages. */
export type DialectRules = {
  /** True if the agent queues prompts. Otherwise prompts wait on this side, and one is sent at a time. */
  readonly holdsPrompts: boolean;
  /** True if a prompt may have no content. */
  readonly emptyPrompts: boolean;
  /** True if a request may have the id `null`. */
  readonly nullIds: boolean;
  /** True if the client serves files and terminals to the agent. */
  readonly servesHost: boolean;
  /** Returns the request that restores a session, `undefined` if the agent has none. */
  restoration(capabilities: AgentCapabilities): Restoration | undefined;
  /** Prepares the turns of all sessions of one connection. */
  turns(call: Call): (session: TurnSession) => SessionTurns;
};

/** Content and metadata of a prompt. */
export type PromptMessage = Omit<Calls["prompt"]["params"], "sessionId">;

/** Part of a session that its turns use. */
export interface TurnSession {
  readonly sessionId: string;
  readonly state: SessionState;
  publish(event: SessionEvent): void;
}

/** Part of a turn that the rules of a dialect use. */
export interface PromptTurn {
  readonly promptId: string;
  readonly message: PromptMessage;
  readonly isAccepted: boolean;
  readonly isOver: boolean;
  /** True while the session does work that began before this prompt was sent. */
  isBehind: boolean;
  accept(): void;
  finish(outcome: TurnOutcome): void;
  cancel(): void;
}

/** End of a turn, or the error in its place. */
export type TurnOutcome = TurnEnd | { readonly failure: unknown };

/** Reason why this side gave a turn up. */
export type LostTurn = { readonly stopReason: "cancelled" | "error"; readonly error?: ErrorObject };

/** Turns of one session by the rules of its dialect. */
export interface SessionTurns {
  /** Sends the prompt, then publishes it. Finishes the turn at its end. */
  prompt(turn: PromptTurn): void;
  /** Handles a message of the agent, before its content. */
  active(): void;
  /** Handles an update of the agent after listeners got it. `before` is the activity before a state update. */
  updated(event: SessionEvent, before: Activity | undefined): void;
  /** Withdraws a single prompt. Returns false if only a cancel of all work can end it. */
  withdraw(turn: PromptTurn): boolean;
  /** Publishes the end of a sent turn whose end the agent will not report. */
  lose(turn: PromptTurn, how: LostTurn): void;
  /** Returns true if a question belongs to the work that a cancel ends. */
  endsWithCancel(work: Work): boolean;
}
