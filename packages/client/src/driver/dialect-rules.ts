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
  /** Treats the error for an unknown session as an empty answer. */
  readonly orGone?: true;
};

/**
 * Sends a request. The callbacks of `on` get the answer before later updates, even if they arrive in the same write.
 *
 * @throws CapabilityError for a call that the dialect or the agent does not have
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

/** Differences between dialects, apart from the form of their messages. */
export type DialectRules = {
  /** True if the agent queues prompts. Otherwise prompts wait in the client, which sends one prompt at a time. */
  readonly holdsPrompts: boolean;
  /** True if prompts have an idempotency key. */
  readonly hasPromptKeys: boolean;
  /** True if a prompt may have no content. */
  readonly emptyPrompts: boolean;
  /** True if a request may have the id `null`. */
  readonly nullIds: boolean;
  /** True if the client serves files and terminals to the agent. */
  readonly servesHost: boolean;
  /** Returns the request that restores a session, or `undefined` if the agent has no such request. */
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
  /** True while the session does work that began before the client sent this prompt. */
  isBehind: boolean;
  /** True if the agent had accepted an earlier prompt with the same key. The message of that prompt stays accepted. */
  isRepeated: boolean;
  accept(): void;
  finish(outcome: EndOrFailure): void;
  cancel(): void;
}

/** End of a turn, or the error instead of an end. */
export type EndOrFailure = TurnEnd | { readonly failure: unknown };

/** Reason why the client ended a turn itself. */
export type LostTurn = { readonly stopReason: "cancelled" | "error"; readonly error?: ErrorObject };

/** Turns of one session, with the rules of its dialect. */
export interface SessionTurns {
  /** Sends the prompt, then publishes it. Calls `finish` when the turn has ended. */
  prompt(turn: PromptTurn): void;
  /**
   * Called for each message of the agent before its content is handled. `update` is the first update of the message, if it
   * has updates.
   */
  active(update?: SessionEvent): void;
  /** Handles an update of the agent after it was published. `before` is the activity before a state update. */
  updated(event: SessionEvent, before: Activity | undefined): void;
  /** Withdraws a single prompt. Returns false if only a cancel of all work can end the turn of the prompt. */
  withdraw(turn: PromptTurn): boolean;
  /** Publishes the end of a sent turn whose end the agent will not report. */
  lose(turn: PromptTurn, how: LostTurn): void;
  /** Returns true if a cancel ends the work of a question. */
  endsWithCancel(work: Work): boolean;
}
