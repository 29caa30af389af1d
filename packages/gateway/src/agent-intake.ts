import type { ErrorObject, Meta, SessionEvent } from "@turnkit/session";
import { type Room, RpcError } from "@turnkit/transport";
import { isWire } from "./agent-events.js";
import { ANSWERED_BY, withoutMarks } from "./agent-marks.js";
import { ENDED_BY, ENDING, QUESTION, textIn } from "./between-gateways.js";
import type { Conversation, Ending } from "./conversation.js";
import type { Settings } from "./gateway-options.js";
import { type Answer, type AskedIn, toolCallOf } from "./open-question.js";
import type { OwnerLink } from "./owner-link.js";
import type { Questions } from "./questions.js";
import type { SessionInAgent } from "./session-in-agent.js";
import type { SessionRecord } from "./session-record.js";
import type { SharedPrompt } from "./shared-prompt.js";
import type { RecognisedEvent, SharedPrompts } from "./shared-prompts.js";
import type { StoredEnd } from "./stored-turns.js";

const UNSTORED =
  "the session cannot be stored, so the prompt was cancelled. The gateway reports why; send it again when its storage works";

/** Parts of the intake of a session. */
export type AgentIntakeParts = {
  readonly id: string;
  readonly settings: Settings;
  readonly record: SessionRecord;
  readonly conversation: Conversation;
  readonly prompts: SharedPrompts;
  readonly questions: Questions;
  readonly agent: SessionInAgent;
  /** Returns the gateway that owns the session, if it is another gateway. The owner then replaces the agent. */
  readonly owner: () => OwnerLink | undefined;
  /** Called when the owner reports that one of its clients has ended the session. */
  readonly endedByOwner: (ending: Ending) => void;
};

/**
 * Passes the events of an agent to the conversation, the prompts and the questions of a session, and the answers back
 * to the agent.
 */
export class AgentIntake {
  readonly #parts: AgentIntakeParts;
  /** Reason why the message of the running turn is not stored. The end of the turn then has this error. */
  #unstored: ErrorObject | undefined;
  /** End of a turn that the agent ends as cancelled, because the session is being closed. */
  #end: StoredEnd | undefined;
  #isOver = false;

  constructor(parts: AgentIntakeParts) {
    this.#parts = parts;
    parts.record.onFailure(() => this.#reportFailure());
  }

  /** Records that the session is being closed. Its events are still sent to the clients. `end` is the end of its open turn. */
  sessionCloses(end: StoredEnd): void {
    this.#end = end;
  }

  /** Ignores later events. */
  close(): void {
    this.#isOver = true;
  }

  /** Receives an event of the agent. If a promise is returned, await it before the next event. */
  receive(received: SessionEvent, sessionId: string): Room {
    if (this.#isOver) return undefined;
    const { conversation, prompts, questions, record } = this.#parts;
    const isOwner = this.#parts.owner() !== undefined;
    const event = isOwner ? received : withoutMarks(received);
    switch (event.type) {
      case "session_opened":
        return conversation.publishLists(event, sessionId);
      case "prompt_accepted": {
        const recognised = event.messageId && prompts.accepted(event.promptId, event.messageId, isOwner);
        return recognised ? this.#pass(recognised, sessionId) : undefined;
      }
      case "permission_asked":
      case "elicitation_asked": {
        // The tool call is sent to all clients, including clients that do not get the question.
        const call = toolCallOf(event);
        const room = call && conversation.publish({ type: "tool_call_update", ...call }, sessionId);
        conversation.states.add(sessionId, event);
        questions.asked(event, sessionId);
        return room;
      }
      case "permission_answered":
      case "elicitation_answered":
        conversation.states.add(sessionId, event);
        questions.settled(event.requestId);
        return record.add(sessionId, event);
      case "elicitation_completed":
        conversation.states.add(sessionId, event);
        questions.completed(event.elicitationId);
        return undefined;
      case "config_option_set": {
        const { configOptions = [] } = conversation.states.add(sessionId, event).after;
        return conversation.publish({ type: "config_option_update", configOptions }, sessionId);
      }
      case "session_closed":
        return sessionId === this.#parts.id && this.#end === undefined && !isOwner
          ? this.#lost(event.reason)
          : undefined;
      case "notice":
        return isOwner && this.#isEndByOwner(event) ? undefined : conversation.publish(event, sessionId);
      default:
        if (!isWire(event)) return undefined;
        return this.#pass(sessionId === this.#parts.id ? prompts.recognise(event, isOwner) : { event }, sessionId);
    }
  }

  /** Passes an answer to the agent. `name` is the name of the principal that answered. */
  answer({ sessionId, event }: AskedIn, answer: Answer, name: string | undefined): void {
    const { agent, conversation } = this.#parts;
    const owner = this.#parts.owner();
    const question = textIn(event._meta, QUESTION);
    if (name !== undefined && question !== undefined) owner?.note(question, { name });
    try {
      agent.answer(sessionId, event.requestId, answer);
    } catch (error) {
      // The answer names an option that was not offered, or does not conform to the form.
      const message = "An answer to a question of the agent was not valid, and the question was cancelled.";
      this.#parts.settings.report({ code: "handler_failed", sessionId: this.#parts.id, message, error });
      const cancelled = event.type === "permission_asked" ? { outcome: "cancelled" } : { action: "cancel" };
      return agent.answer(sessionId, event.requestId, cancelled as Answer);
    }
    // The owner sends the name of the answering principal to all clients.
    if (owner !== undefined) return;
    const toolCallId = event.type === "elicitation_asked" ? event.toolCallId : toolCallOf(event)?.toolCallId;
    if (name === undefined || toolCallId == null) return;
    void conversation.publish({ type: "tool_call_update", toolCallId, _meta: { [ANSWERED_BY]: name } }, sessionId);
  }

  /**
   * Sends an event of the agent to the clients. Messages of prompts and ends of turns are stored first, because clients
   * rely on them later.
   */
  // NATS-08
  #pass({ event, prompt }: RecognisedEvent, sessionId: string): Room {
    const { conversation, prompts } = this.#parts;
    if (prompt !== undefined && !prompt.isInserted) {
      return conversation.publishPrompt(event, prompt.promptKey).then((isStored) => {
        if (isStored) prompts.settleInserted(prompt);
        else this.#drop(prompt);
      });
    }
    if (event.type !== "state_update" || event.state !== "idle") return conversation.publish(event, sessionId);
    if (sessionId !== this.#parts.id) return conversation.publishEnd(event, sessionId);
    const end = this.#endOf(event);
    return conversation.publishEnd(end, sessionId).then(() => prompts.endWatched(end));
  }

  /** Fails a prompt that is not stored, because a retry with its key, or a later attach, would not find it. */
  #drop(prompt: SharedPrompt): void {
    this.#unstored = { code: -32603, message: UNSTORED };
    prompt.drop(new RpcError(this.#unstored.code, this.#unstored.message));
    this.#parts.agent.cancel();
  }

  #endOf<E extends SessionEvent>(event: E): E {
    const error = this.#unstored;
    this.#unstored = undefined;
    if (error !== undefined) return { ...event, stopReason: "error", error };
    return event.type === "state_update" && event.stopReason === "cancelled" ? { ...event, ...this.#end } : event;
  }

  #isEndByOwner({ _meta }: { readonly _meta?: Meta | null }): boolean {
    const what = textIn(_meta, ENDING);
    if (what !== "closed" && what !== "deleted") return false;
    const name = textIn(_meta, ENDED_BY);
    this.#parts.endedByOwner({ what, isByOwner: true, ...(name !== undefined && { name }) });
    return true;
  }

  #reportFailure(): void {
    this.#showNotice(
      "The session is not stored any more",
      "The storage has failed. The session takes no more prompts.",
    );
  }

  // SHARE-11
  /**
   * Handles the loss of the session in the agent: open prompts fail, and every client gets a notice. The next prompt starts the
   * agent again.
   */
  #lost(reason = "the agent has ended"): Room {
    const { agent, conversation, prompts, questions, record } = this.#parts;
    agent.forget();
    questions.close();
    const error = { code: -32603, message: `The agent has lost the session: ${reason}` };
    prompts.fail(new RpcError(error.code, error.message));
    conversation.endWork(error);
    this.#showNotice("The agent has ended", error.message);
    return record.commit().then(() => undefined);
  }

  #showNotice(title: string, description: string): void {
    void this.#parts.conversation.publish({ type: "notice", severity: "error", title, description });
  }
}
