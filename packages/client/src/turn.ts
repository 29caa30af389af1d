import type { ErrorObject, SessionEvent, StopReason, TokenUsage } from "@turnkit/session";

/** End of a turn. */
export type TurnEnd = {
  /** Reason of the end; `error` after an error answer. Custom reasons begin with `_`. */
  readonly stopReason?: StopReason;
  /** Tokens of the turn, if the agent reported them. */
  readonly usage?: TokenUsage;
  /** Error of the agent, with stop reason `error`. */
  readonly error?: ErrorObject;
  /**
   * True if the end of the work is known: the agent reported it, or the prompt was never sent. Otherwise
   * `stopReason` is the latest known one.
   *
   * False in three cases:
   *
   * - The session ended on this side while the agent was working.
   * - The agent did not end the turn within `cancelGraceMs` of a cancel.
   * - A version 2 agent took the prompt while idle and then sent nothing for 3 s.
   */
  readonly agentConfirmed: boolean;
};

/**
 * Turn of one prompt. Iterating it yields the events of its session from the send of the prompt to the end of the
 * turn. The next event follows when the body of the loop has ended, so a slow loop slows the agent down. Leaving the
 * loop does not cancel the turn. A turn without a loop buffers nothing: start the loop in the tick of `prompt` to get
 * every event.
 */
export interface Turn extends AsyncIterable<SessionEvent> {
  /** Id of the prompt in events and in the timeline; unique in its session object. */
  readonly promptId: string;
  /**
   * Settles when the agent took the prompt, or when the turn is over. Never rejects.
   *
   * - Version 1 and seed: at the first message of the session after the prompt.
   * - Version 2: at the answer to the prompt, which adds it to the conversation.
   */
  readonly accepted: Promise<void>;
  /**
   * Settles when every listener call of the turn has finished, including loops. Never causes an unhandled rejection. A
   * listener, or the body of a loop over this turn, must not await it. After the connection closed it waits for no
   * listener longer than 5 s.
   *
   * - Version 1 and seed: the answer to the prompt is the end.
   * - Version 2: the first change to idle after the prompt was added to the conversation is the end. It may end several
   *   turns.
   * - An error answer is an end with stop reason `error`.
   * - Rejects with `ConnectionClosedError` if the connection was lost, and with `InvalidMessageError` if the answer
   *   could not be read.
   */
  readonly ended: Promise<TurnEnd>;
  /**
   * Returns the text that the agent answered, after the end of the turn: all its messages after the prompt, with an
   * empty line between two. Thoughts and other blocks are left out. Reads the state: text that the state dropped is
   * missing.
   *
   * Rejects as `ended` does. A turn that ended with an error of the agent has the text up to the error.
   */
  text(): Promise<string>;
  /**
   * Cancels this turn, dismisses its questions, and waits for the end like `ended`. Never causes an unhandled
   * rejection.
   *
   * - A prompt that waits on this side is never sent.
   * - A prompt that a version 2 agent holds is withdrawn.
   * - For a prompt that the agent works on, all work is cancelled, held prompts included.
   *
   * Any stop reason may follow: the turn may have been over already. A second call sends the cancel again. If the
   * agent does not end the turn within `cancelGraceMs`, the turn ends here; later events reach listeners of the
   * session, and no loop over this turn.
   */
  cancel(): Promise<TurnEnd>;
}
