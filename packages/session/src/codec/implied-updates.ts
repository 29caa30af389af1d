import type { ContentBlock } from "../content.js";
import type { EventOf, SessionEvent } from "../event.js";
import { dropOldest } from "../oldest.js";

/** Events that listeners get before and after one event. */
export type EventsAround = { readonly before: readonly SessionEvent[]; readonly after: readonly SessionEvent[] };

type Prompt = {
  readonly promptId: string;
  readonly content: readonly ContentBlock[];
  /** `true` after the agent has repeated a message of the user. */
  isEchoed: boolean;
  /** `true` after the agent has accepted the prompt and its work was reported as running. */
  isTaken: boolean;
  isCancelled: boolean;
};

/** Maximum number of open prompts. An agent of these dialects has one open prompt. */
const MAX_PROMPTS = 100;

const NONE: EventsAround = { before: [], after: [] };

/**
 * Creates updates that version 2 sends and an older dialect does not have: the message of a prompt, and the activity of
 * the session. Listeners then get the same events in every dialect. Each session has its own object.
 *
 * The events have the member `isImplied`. They repeat other events, so they change no state.
 */
export class ImpliedUpdates {
  readonly #prompts = new Map<string, Prompt>();
  readonly #questions = new Set<string>();
  #isReported = false;

  /** Returns the events around `event`. Call it for all events of the session, in order. */
  around(event: SessionEvent): EventsAround {
    switch (event.type) {
      case "prompt_sent":
        this.#sent(event);
        return NONE;
      case "user_message":
      case "user_message_chunk":
        for (const prompt of this.#prompts.values()) prompt.isEchoed = true;
        return NONE;
      case "state_update":
        // The agent uses a draft that reports the activity.
        this.#isReported = true;
        this.#prompts.clear();
        return NONE;
      case "prompt_failed":
        this.#prompts.delete(event.promptId);
        return NONE;
      case "prompt_accepted":
        return { before: this.#taken(event.promptId), after: [] };
      case "cancel_asked":
        this.stop();
        return NONE;
      case "permission_asked":
      case "elicitation_asked":
        return { before: this.#asked(event.requestId), after: [] };
      case "permission_answered":
      case "elicitation_answered":
        return { before: [], after: this.#answered(event.requestId) };
      case "turn_ended":
        return { before: this.#ended(event), after: [] };
      default:
        return NONE;
    }
  }

  /** Stops reports about the open prompts, because they were cancelled or the agent has ended. */
  stop(): void {
    for (const prompt of this.#prompts.values()) prompt.isCancelled = true;
  }

  #sent({ promptId, content }: EventOf<"prompt_sent">): void {
    if (this.#isReported) return;
    this.#prompts.set(promptId, { promptId, content, isEchoed: false, isTaken: false, isCancelled: false });
    dropOldest(this.#prompts, MAX_PROMPTS);
  }

  #taken(promptId: string): readonly SessionEvent[] {
    const prompt = this.#prompts.get(promptId);
    if (prompt === undefined || prompt.isTaken) return [];
    prompt.isTaken = true;
    return taken(prompt);
  }

  #asked(requestId: string): readonly SessionEvent[] {
    if (!this.#isAtWork) return [];
    this.#questions.add(requestId);
    return this.#questions.size === 1 ? [stateUpdate("requires_action")] : [];
  }

  #answered(requestId: string): readonly SessionEvent[] {
    if (!this.#questions.delete(requestId) || this.#questions.size > 0) return [];
    return this.#isAtWork ? [stateUpdate("running")] : [];
  }

  /** `true` while the agent works on a prompt that was not cancelled. */
  get #isAtWork(): boolean {
    for (const { isTaken, isCancelled } of this.#prompts.values()) if (isTaken && !isCancelled) return true;
    return false;
  }

  #ended({ promptId, stopReason, error, usage, agentConfirmed }: EventOf<"turn_ended">): readonly SessionEvent[] {
    const prompt = promptId === undefined ? undefined : this.#prompts.get(promptId);
    if (prompt === undefined) return [];
    this.#prompts.delete(prompt.promptId);
    if (this.#prompts.size === 0) this.#questions.clear();
    const isRefused = agentConfirmed === false || isRefusal(error?.code);
    if (isRefused && !prompt.isTaken) {
      return [{ type: "prompt_failed", promptId: prompt.promptId, error: error ?? GIVEN_UP, isImplied: true }];
    }
    if (agentConfirmed === false) return [];
    const end = { ...(stopReason && { stopReason }), ...(error && { error }), ...(usage && { usage }) };
    const idle = { ...stateUpdate("idle"), ...end };
    if (prompt.isTaken) return [idle];
    // The answer is the first message that shows that the agent has accepted the prompt.
    const accepted = { type: "prompt_accepted", promptId: prompt.promptId, isImplied: true } as const;
    return [...taken(prompt), accepted, idle];
  }
}

/** Error of a prompt that this side has dropped before the agent accepted it. */
const GIVEN_UP = { code: -32800, message: "The prompt was given up before the agent took it." };

/**
 * Returns `true` for the code of an error that refuses a prompt. Any other error may be the end of work that has begun,
 * because the dialect has one answer for both cases.
 */
const isRefusal = (code: unknown): boolean =>
  code === -32000 || code === -32002 || (typeof code === "number" && code <= -32600 && code >= -32602);

/** Returns the updates of an agent that accepts a prompt. */
function taken({ promptId, content, isEchoed }: Prompt): readonly SessionEvent[] {
  const running = stateUpdate("running");
  if (isEchoed) return [running];
  return [{ type: "user_message", messageId: promptId, content, isImplied: true }, running];
}

const stateUpdate = (state: "running" | "idle" | "requires_action") =>
  ({ type: "state_update", state, isImplied: true }) as const;
