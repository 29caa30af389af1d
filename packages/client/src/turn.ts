import type { ErrorObject, Meta, SessionEvent, StopReason, TokenUsage } from "@turnkit/session";

/** End of a turn. */
export type TurnEnd = {
  /** Reason of the end. `error` after an error of the agent. Custom reasons begin with `_`. */
  readonly stopReason?: StopReason;
  /** Number of tokens of the turn, if the agent reported them. */
  readonly usage?: TokenUsage;
  /** Metadata of the answer that ended the turn, or of the idle state in version 2. */
  readonly _meta?: Meta;
  /** Error of the agent. Set with the stop reason `error`. */
  readonly error?: ErrorObject;
  /**
   * True if the agent reported the end, or the prompt was never sent. Otherwise the agent may still work, and `stopReason`
   * is the latest known reason. That happens in three cases:
   *
   * - The session ended in the client while the agent was working.
   * - The agent did not end the turn within `cancelGraceMs` of a cancel.
   * - An agent of version 2 accepted the prompt while it was idle, and then sent nothing for 3 s.
   */
  readonly agentConfirmed: boolean;
};

/**
 * Turn of one prompt. A loop over the turn yields the events of its session, from the sending of the prompt to the end of
 * the turn.
 *
 * - The next event follows when the body of the loop has ended, so a slow loop slows down the agent.
 * - The loop throws the error with which `ended` rejects, such as a lost connection. After an error answer of the agent, it
 *   throws this error as an `RpcError`. A loop that runs while this side closes the client ends without an error.
 * - Leaving the loop does not cancel the turn.
 * - Without a loop, events are not stored. To get every event, start the loop in the same tick as `prompt`. A loop that
 *   begins after the agent has begun to work misses events. It is reported as `late_loop`.
 * - `prompt` returns immediately, so `await session.prompt(…)` waits for nothing. Await `ended` or `text()`. In
 *   JavaScript, reading `stopReason`, `error` or `usage` from the turn itself throws a `TypeError` with this advice.
 * - If the client or the session is closed before the end, and nothing waits for the turn, the client reports
 *   `unfinished`. With listeners or subscribers, this is reported only if the agent had not begun to work.
 */
export interface Turn extends AsyncIterable<SessionEvent> {
  /** Id of the prompt in events and in the timeline. Unique in the session object. */
  readonly promptId: string;
  /**
   * Settles when the agent accepted the prompt, or when the turn has ended. Never rejects.
   *
   * - Version 1 and seed: the first message of the session after the prompt accepts it.
   * - Version 2: the answer to the prompt accepts it and adds it to the conversation.
   */
  readonly accepted: Promise<void>;
  /**
   * Settles when all listeners and loops have handled the events of the turn. Never causes an unhandled rejection. After
   * the end of the connection, it waits for listeners for at most 5 s. A listener, or the body of a loop over this turn,
   * must not await it.
   *
   * - Version 1 and seed: the answer to the prompt ends the turn.
   * - Version 2: the first change to idle ends the turn, after the prompt was added to the conversation. This change may
   *   end several turns.
   * - An error answer ends the turn with the stop reason `error`.
   * - A lost connection rejects the promise with `ConnectionClosedError`.
   * - An answer that the client cannot read rejects the promise with `InvalidMessageError`.
   */
  readonly ended: Promise<TurnEnd>;
  /**
   * Returns the text of the agent's answer after the end of the turn. The text joins all messages of the agent after the
   * prompt, with an empty line between two messages. Thoughts, and blocks that are not text, are left out. Text that the
   * state has dropped is missing.
   *
   * If `ended` rejects, this promise rejects with the same error. After an error answer of the agent, it rejects with this
   * error as an `RpcError`. The text before the error is in the state of the session.
   */
  text(): Promise<string>;
  /**
   * Cancels this turn, dismisses its questions, and returns `ended`. Never causes an unhandled rejection.
   *
   * - A prompt that waits in the client is never sent.
   * - A prompt that waits in an agent of version 2 is withdrawn.
   * - If the agent works on the prompt, all work of the session is cancelled, including prompts that wait in the agent.
   *
   * The turn may end with any stop reason, because it may have ended before the cancel. A second call sends the cancel
   * again. If the agent does not end the turn within `cancelGraceMs`, the client ends it. Later events then reach listeners
   * of the session, but no loop over this turn.
   */
  cancel(): Promise<TurnEnd>;
}
