import type { SessionLists, SessionPlace } from "@turnkit/session";
import type { Calls } from "@turnkit/session/codec";
import type { LiveSession } from "../live-session.js";
import type { LiveTurn } from "../live-turn.js";
import { AgentDriver } from "./agent-driver.js";
import { checkCancels, checkOffered, checkPlace } from "./capability-checks.js";
import type { Answered, LostTurn } from "./driver.js";
import { endOf } from "./turn-end.js";

/** Dialects in which the answer to a prompt is the end of its turn, and markers say how a session is restored: version 1. */
export class TurnDriver extends AgentDriver {
  /** Prompts wait on this side: none of these dialects knows a queue. */
  readonly holdsPrompts = false;
  readonly nullIds = true;

  planRestore(place: SessionPlace): { replays: boolean } {
    const { load, resume } = this.peer.capabilities;
    checkOffered(this.peer, load || resume, "cannot restore sessions");
    checkPlace(this.peer, place);
    return { replays: load };
  }

  async restoreSession(sessionId: string, place: SessionPlace, on: Answered<SessionLists>) {
    const name = this.peer.capabilities.load ? "loadSession" : "resumeSession";
    await this.call(name, { ...place, sessionId }, on);
  }

  /** The answer is the end of the turn; until it comes the agent works. */
  prompt(session: LiveSession, turn: LiveTurn): void {
    const { promptId, message } = turn;
    const failed = (failure: unknown) => {
      if (turn.isOver) return;
      const { event, end } = endOf(failure);
      session.tell({ type: "turn_ended", promptId, ...event });
      turn.finish(end);
    };
    // Before listeners hear of the prompt: one of them may cancel, and the cancel has to follow the prompt.
    const answered = this.call(
      "prompt",
      { sessionId: session.id, ...message },
      {
        received: (result) => {
          if (!turn.isOver) this.answered(session, turn, result);
        },
        failed,
      },
    );
    session.tell({ type: "prompt_sent", promptId, content: message.prompt });
    session.tell({ type: "turn_started", promptId });
    // A prompt that was refused before it was sent fails only here.
    answered.catch(failed);
  }

  /** These dialects say nothing when they take a prompt: what follows shows that they did. */
  signOfLife(session: LiveSession, turn: LiveTurn): void {
    session.tell({ type: "prompt_accepted", promptId: turn.promptId });
    turn.accept();
  }

  updated(): void {
    // The answer tells the end.
  }

  /** There is one turn at a time: to cancel it is to cancel all work. */
  withdraw(): boolean {
    return false;
  }

  lose(session: LiveSession, { promptId }: LiveTurn, how: LostTurn): void {
    session.tell({ type: "turn_ended", promptId, ...how });
  }

  /** All of them (V1-CANCEL-03, V2-SEED-11): there is no work beside the turn. */
  endsWithCancel(): boolean {
    return true;
  }

  /** Only version 2 has it. */
  async cancelToolCall(_session: LiveSession, toolCallId: string): Promise<void> {
    checkCancels(this.peer, false, `tool call ${toolCallId}`);
  }

  /** Only version 2 has it. */
  async cancelTerminal(_session: LiveSession, terminalId: string): Promise<void> {
    checkCancels(this.peer, false, `terminal ${terminalId}`);
  }

  protected answered(session: LiveSession, turn: LiveTurn, result: Calls["prompt"]["result"]): void {
    const { promptId } = turn;
    const { stopReason, messageId, usage } = result;
    if (messageId !== undefined) session.tell({ type: "prompt_accepted", promptId, messageId });
    session.tell({ type: "turn_ended", promptId, stopReason, usage });
    turn.finish({ agentConfirmed: true, ...(stopReason && { stopReason }) });
  }
}
