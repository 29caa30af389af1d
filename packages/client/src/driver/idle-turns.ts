import type { Activity, ErrorObject, SessionEvent } from "@turnkit/session";
import { type Calls, ImpliedTurns } from "@turnkit/session/codec";
import type { RequestSignal } from "@turnkit/transport";
import type { Work } from "../pending-questions.js";
import type { TurnEnd } from "../turn.js";
import type { Call, LostTurn, PromptTurn, SessionTurns, TurnSession } from "./dialect-rules.js";
import { PromptWatch, type TurnEvents } from "./prompt-watch.js";
import { GIVEN_UP, sendPrompt } from "./send-prompt.js";

/** Signal that withdraws a prompt. Unlike this class, an `AbortController` costs 6 µs per prompt. */
class Withdrawal implements RequestSignal {
  aborted = false;
  #listener: (() => void) | undefined;

  abort(): void {
    if (this.aborted) return;
    this.aborted = true;
    this.#listener?.();
  }

  addEventListener(_type: "abort", listener: () => void): void {
    this.#listener = listener;
  }

  removeEventListener(): void {
    this.#listener = undefined;
  }
}

/** Facts about the agent that its first answers show. */
export type AgentHabits = {
  /**
   * True if the agent's answers to prompts contain the id of the message. An agent of this kind also withdraws its
   * questions. Agents of older drafts do neither.
   */
  // V2-SEED-11
  namesMessages: boolean;
};

/** Turns that end with an idle state, as in version 2. The answer to a prompt accepts the prompt. */
export class IdleTurns implements SessionTurns, TurnEvents {
  readonly #implied = new ImpliedTurns();
  readonly #call: Call;
  readonly #session: TurnSession;
  readonly #agent: AgentHabits;
  readonly #watch: PromptWatch;
  readonly #withdrawals = new WeakMap<PromptTurn, Withdrawal>();

  constructor(call: Call, session: TurnSession, agent: AgentHabits) {
    this.#call = call;
    this.#session = session;
    this.#agent = agent;
    this.#watch = new PromptWatch(session, this);
  }

  prompt(turn: PromptTurn): void {
    const session = this.#session;
    const { promptId } = turn;
    const signal = new Withdrawal();
    this.#withdrawals.set(turn, signal);
    const message = session.state.timeline.get(`prompt:${promptId}`);
    turn.isRepeated = message?.type === "message" && message.prompt?.status === "accepted";
    this.#watch.sent(turn);
    sendPrompt(
      this.#call,
      { session, turn },
      {
        signal,
        answered: (result) => this.#answered(turn, result),
        failed: ({ error, end }) => {
          this.#watch.forget(turn);
          this.#refused(turn, error);
          const outcome = "failure" in end ? { stopReason: "error" as const, error, agentConfirmed: false } : end;
          this.#publish(this.#implied.ended(promptId, outcome));
          turn.finish(end);
          this.next();
        },
      },
    );
    this.#publish(this.#implied.sent(promptId));
  }

  taken({ promptId }: PromptTurn): void {
    this.#publish(this.#implied.taken(promptId));
  }

  ended({ promptId }: PromptTurn, end: TurnEnd): void {
    this.#publish(this.#implied.ended(promptId, end));
  }

  next(): void {
    this.#publish(this.#implied.next());
  }

  active(): void {
    // The answer accepts the prompt.
  }

  updated(event: SessionEvent, before: Activity | undefined): void {
    this.#watch.updated(event, before);
  }

  /** Withdraws a prompt that waits in the agent. Returns false for a prompt on which the agent works. */
  // V2-PRM-07
  withdraw(turn: PromptTurn): boolean {
    if (turn.isAccepted) return false;
    this.#withdrawals.get(turn)?.abort();
    return true;
  }

  lose(turn: PromptTurn, { stopReason, error }: LostTurn): void {
    this.#watch.forget(turn);
    const { promptId } = turn;
    if (turn.isAccepted) {
      this.#implied.ended(promptId, {});
      this.#session.publish({
        ...{ type: "turn_ended", promptId, stopReason, agentConfirmed: false },
        ...(error && { error }),
      });
    } else {
      this.#refused(turn, error ?? GIVEN_UP);
      this.#publish(this.#implied.ended(promptId, { stopReason, ...(error && { error }), agentConfirmed: false }));
    }
    this.next();
  }

  /**
   * Returns false for questions of background work. While background work runs, a question without a tool call or terminal
   * may belong to it, so the result is false too.
   */
  // V2-CAN-01, V2-PERM-12
  endsWithCancel({ toolCallId, terminalId }: Work): boolean {
    const { background } = this.#session.state.activity;
    if (background === undefined) return !this.#agent.namesMessages;
    if (background.length === 0) return true;
    if (toolCallId == null && terminalId == null) return false;
    return !background.some(
      (work) =>
        ("toolCallId" in work && work.toolCallId === toolCallId) ||
        ("terminalId" in work && work.terminalId === terminalId),
    );
  }

  // P-IDEM-10
  #refused({ promptId, isRepeated }: PromptTurn, error: ErrorObject): void {
    if (!isRepeated) this.#session.publish({ type: "prompt_failed", promptId, error });
  }

  #publish(events: readonly SessionEvent[]): void {
    for (const event of events) this.#session.publish(event);
  }

  #answered(turn: PromptTurn, result: Calls["prompt"]["result"]): void {
    const { promptId } = turn;
    const { stopReason, messageId, usage } = result;
    if (stopReason !== undefined) {
      // The agent uses the seed draft, although its `initialize` looked like a later draft.
      this.#watch.forget(turn);
      this.taken(turn);
      this.#session.publish({ type: "prompt_accepted", promptId, ...(messageId !== undefined && { messageId }) });
      this.#session.publish({ type: "turn_ended", promptId, stopReason, usage });
      this.#implied.ended(promptId, {});
      turn.finish({ stopReason, agentConfirmed: true, ...(usage && { usage }) });
      this.next();
      return;
    }
    this.#agent.namesMessages ||= messageId !== undefined;
    this.#watch.inserted(turn, messageId);
    // The withdrawal was too late. Only a cancel of all work can end the turn.
    if (!turn.isOver && this.#withdrawals.get(turn)?.aborted) turn.cancel();
  }
}
