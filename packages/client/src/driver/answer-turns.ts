import type { Activity, AgentCapabilities, SessionEvent } from "@turnkit/session";
import type { Calls } from "@turnkit/session/codec";
import type { Call, LostTurn, PromptTurn, Restoration, SessionTurns, TurnSession } from "./dialect-rules.js";
import { sendPrompt } from "./send-prompt.js";

/** Turns that end with the answer to their prompt, as in version 1 and seed. */
export class AnswerTurns implements SessionTurns {
  protected readonly session: TurnSession;
  readonly #call: Call;
  /** Sent turn to which the agent has not reacted. */
  #silent: PromptTurn | undefined;

  constructor(call: Call, session: TurnSession) {
    this.#call = call;
    this.session = session;
  }

  prompt(turn: PromptTurn): void {
    const { session } = this;
    const { promptId } = turn;
    this.#silent = turn;
    sendPrompt(
      this.#call,
      { session, turn },
      {
        answered: (result) => this.answered(turn, result),
        failed({ event, end }) {
          session.publish({
            type: "turn_ended",
            promptId,
            ...event,
            ...("failure" in end && { agentConfirmed: false }),
          });
          turn.finish(end);
        },
      },
    );
    session.publish({ type: "turn_started", promptId });
  }

  /** Accepts the sent turn. These dialects do not report that the agent accepted a prompt. */
  active(update?: SessionEvent): void {
    // If the agent repeats the prompt as a user message, listeners get this message before `prompt_accepted`, as in version
    // 2.
    if (update !== undefined && isUserMessage(update)) return;
    const turn = this.#silent;
    if (turn === undefined) return;
    this.#silent = undefined;
    if (turn.isAccepted) return;
    this.session.publish({ type: "prompt_accepted", promptId: turn.promptId });
    turn.accept();
  }

  updated(event: SessionEvent, _before?: Activity): void {
    // The answer ends the turn.
    if (isUserMessage(event)) this.active();
  }

  /** Returns false, because only one turn is open at a time, and all work belongs to that turn. */
  withdraw(): boolean {
    return false;
  }

  lose({ promptId }: PromptTurn, how: LostTurn): void {
    this.session.publish({ type: "turn_ended", promptId, ...how, agentConfirmed: false });
  }

  /** Returns true: all work belongs to the turn. */
  // V1-CANCEL-03, V2-SEED-11
  endsWithCancel(): boolean {
    return true;
  }

  protected answered(turn: PromptTurn, result: Calls["prompt"]["result"]): void {
    const { promptId } = turn;
    const { stopReason, messageId, usage, _meta } = result;
    if (messageId !== undefined) this.session.publish({ type: "prompt_accepted", promptId, messageId });
    this.session.publish({ type: "turn_ended", promptId, stopReason, usage });
    turn.finish({
      agentConfirmed: true,
      ...(stopReason && { stopReason }),
      ...(usage && { usage }),
      ...(_meta && { _meta }),
    });
  }
}

/** Returns the restore that version 1 and seed agents advertise. */
export function restorationByCapabilities({ load, resume }: AgentCapabilities): Restoration | undefined {
  if (load) return { call: "loadSession", replays: true };
  return resume ? { call: "resumeSession", replays: false } : undefined;
}

const isUserMessage = ({ type }: SessionEvent): boolean => type === "user_message" || type === "user_message_chunk";
