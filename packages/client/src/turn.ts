import type { ErrorObject, SessionEvent, StopReason } from "@turnkit/session";

/** How a turn ended. */
export type TurnEnd = {
  /** Why the agent stopped, `error` where it answered with one. Custom reasons begin with `_`. */
  readonly stopReason?: StopReason;
  /** With stop reason `error`: what the agent said. */
  readonly error?: ErrorObject;
  /**
   * Whether the work is known to have ended: the agent said so, or the prompt was never sent. `false` when this side
   * gave up the session while the agent was working, when the agent did not end the turn within `cancelGraceMs` of a
   * cancel, and when a version 2 agent took the prompt while idle and then said nothing for 3 s; the reason is then the
   * latest known one.
   */
  readonly agentConfirmed: boolean;
};

/**
 * One prompt being answered, from this side. Iterating it yields what happens in its session from when the prompt was
 * sent until the turn ends, each event once the loop is done with the one before: the loop's pace is the connection's.
 * Leaving the loop detaches and does not cancel. A turn that nobody iterates buffers nothing; begin in the tick of
 * `prompt` to see everything.
 */
export interface Turn extends AsyncIterable<SessionEvent> {
  /** Names the prompt in events and in the state's timeline; unique in its session object. */
  readonly promptId: string;
  /**
   * The agent took the prompt. Version 2 says so, which may take long while it works on another. Version 1 and seed do
   * not: there it is the first sign of life after the prompt. At the latest it is the end. Never rejects; settles at
   * receipt, so listeners may await it.
   */
  readonly accepted: Promise<void>;
  /**
   * Settles when every listener call of the turn has finished, loops over it included. In version 1 and seed the answer
   * to the prompt is the end; in version 2 it is the first edge to idle after the prompt became part of the
   * conversation, which may end several turns at once. An error answer of the agent is an end with stop reason `error`.
   * Rejects with `ConnectionClosedError` if the connection was lost and with `InvalidMessageError` if the agent's
   * answer could not be read; never causes an unhandled rejection. A listener, or the body of a loop over this turn,
   * must not await it.
   */
  readonly ended: Promise<TurnEnd>;
  /**
   * Cancels this turn, answers the questions that belong to it, and waits for the end as `ended` does. A prompt that
   * still waits on this side is never sent; one that a version 2 agent holds is withdrawn. One that it works on ends with
   * all work, prompts that it holds included. Any stop reason may follow: the turn may have been over already. Called
   * again it tells the agent again. An agent that does not end it within `cancelGraceMs` is not waited for: what it says
   * of it after that is told to listeners of the session, and of no loop over this turn. Never causes an unhandled
   * rejection.
   */
  cancel(): Promise<TurnEnd>;
}
