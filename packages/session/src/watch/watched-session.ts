import type { ErrorObject, StopReason, TokenUsage } from "../activity.js";
import type { SessionLists, SessionPlace } from "../call.js";
import type { ContentBlock } from "../content.js";
import { createSessionState } from "../create-session-state.js";
import type { EventOf, SessionEvent } from "../event.js";
import type { PermissionOutcome } from "../permission.js";
import { reduce } from "../reduce.js";
import type { SessionState } from "../state.js";
import { stateEvents } from "../state-events.js";
import { createSessionStore, type SessionStore } from "../store.js";

/** Most updates that are kept for the open session while a restore is under way. A refused restore loses later ones. */
const MAX_KEPT_UPDATES = 1_000;

/** Answer to a prompt. A dialect without it reports the end of the turn by an update. */
type PromptResult = {
  readonly stopReason?: StopReason;
  readonly messageId?: string;
  readonly usage?: TokenUsage | null;
};

type Opened = SessionLists & { readonly sessionId: string };

/** State of one session on a watched connection. */
export class WatchedSession {
  readonly store: SessionStore = createSessionStore();
  /** Prompt without a sign of the agent, in a dialect where the first update accepts it. */
  #silent: string | undefined;
  /** Conversation that a restore repeats, with the updates that arrived meanwhile. */
  #replay: { state: SessionState; readonly updates: SessionEvent[] } | undefined;

  /** Applies the answer that opened the session. */
  opened({ cwd, additionalDirectories = [] }: SessionPlace, { sessionId, ...lists }: Opened): void {
    this.store.dispatch({ type: "session_opened", sessionId, cwd, additionalDirectories, ...lists });
  }

  /** Applies an update of the agent. */
  updated(event: SessionEvent): void {
    if (this.#replay !== undefined) {
      this.#replay.state = reduce(this.#replay.state, event);
      if (this.#replay.updates.length < MAX_KEPT_UPDATES) this.#replay.updates.push(event);
      return;
    }
    if (this.#silent !== undefined) this.store.dispatch({ type: "prompt_accepted", promptId: this.#silent });
    this.#silent = undefined;
    this.store.dispatch(event);
  }

  /**
   * Begins a restore. Call the result at its answer: the replay takes the place of the conversation, or everything stays
   * and the updates since then belong to the open session.
   */
  restoring(): (isRestored: boolean) => void {
    const replay = { state: createSessionState(), updates: [] };
    this.#replay = replay;
    return (isRestored) => {
      if (this.#replay !== replay) return;
      this.#replay = undefined;
      if (!isRestored) for (const event of replay.updates) this.updated(event);
      else if (replay.updates.length > 0) {
        this.store.dispatch({ type: "replay_started" });
        for (const event of stateEvents(replay.state) ?? replay.updates) this.store.dispatch(event);
        this.store.dispatch({ type: "replay_ended" });
      }
    };
  }

  /** Applies a prompt. Call the result at its answer. */
  prompted(promptId: string, content: readonly ContentBlock[], isAnswerTheEnd: boolean) {
    this.store.dispatch({ type: "prompt_sent", promptId, content });
    if (isAnswerTheEnd) {
      this.#silent = promptId;
      this.store.dispatch({ type: "turn_started", promptId });
    }
    return (result: PromptResult | undefined, error: object | undefined): void => {
      if (this.#silent === promptId) this.#silent = undefined;
      const { messageId, stopReason, usage } = result ?? {};
      if (messageId !== undefined) this.store.dispatch({ type: "prompt_accepted", promptId, messageId });
      if (isAnswerTheEnd) {
        const end = error ? ({ stopReason: "error", error: error as ErrorObject } as const) : { stopReason, usage };
        this.store.dispatch({ type: "turn_ended", promptId, ...end });
      } else if (error) this.store.dispatch({ type: "prompt_failed", promptId, error: error as ErrorObject });
    };
  }

  /** Applies a cancel of the client. */
  cancelled(): void {
    this.store.dispatch({ type: "cancel_asked" });
  }

  /** Applies a question of the agent. Call the result at its answer; an error answers it as cancelled. */
  asked(question: EventOf<"permission_asked">): (answer: { readonly outcome: PermissionOutcome } | undefined) => void {
    this.store.dispatch(question);
    const { requestId } = question;
    return (answer) => {
      const { outcome = { outcome: "cancelled" } } = answer ?? {};
      this.store.dispatch({ type: "permission_answered", requestId, outcome });
    };
  }

  /** Applies a choice that the agent accepted. */
  set(choice: SessionEvent | undefined): void {
    if (choice !== undefined) this.store.dispatch(choice);
  }

  /** Applies the end of the session. */
  closed(): void {
    this.store.dispatch({ type: "session_closed" });
  }
}
