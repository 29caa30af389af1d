import type { ErrorObject, StopReason, SubagentPatch, TokenUsage } from "../activity.js";
import type { SessionLists, SessionWorkspace } from "../call.js";
import type { Codec } from "../codec/codec.js";
import { ImpliedUpdates } from "../codec/implied-updates.js";
import { optionChange } from "../codec/option-events.js";
import type { ContentBlock } from "../content.js";
import type { EventOf, SessionEvent } from "../event.js";
import type { PermissionOutcome } from "../permission.js";
import type { SessionState } from "../state.js";
import { createSessionStore, type SessionStore } from "../store.js";
import { WatchedAttempts } from "./watched-attempts.js";
import { turnsOf, type WatchedTurns } from "./watched-turns.js";

/** Answer to a prompt. In a dialect without such an answer, an update reports the end of the turn. */
type PromptResult = {
  readonly stopReason?: StopReason;
  readonly messageId?: string;
  readonly usage?: TokenUsage | null;
};

/** Params of a prompt that a watch reads. */
type SentPrompt = { readonly prompt: readonly ContentBlock[]; readonly idempotencyKey?: string | undefined };

type OpenedSession = SessionLists & { readonly sessionId: string };

/** Error for an answer whose error is not a JSON-RPC error. */
const UNKNOWN_ERROR: ErrorObject = { code: -32603, message: "The prompt failed." };

/** Members of a watch that its sessions need. */
export interface WatchHost {
  /** Receives each event after the store contains it. */
  published(event: SessionEvent): void;
  /** Receives each announcement or change of a child session, after the store contains it. */
  announced(patch: SubagentPatch): void;
  /** Calls functions of the user, and reports their exceptions. */
  guard(call: () => void): void;
}

/** State of one session on a watched connection. */
export class WatchedSession {
  readonly store: SessionStore = createSessionStore();
  readonly #host: WatchHost;
  /** Turns that an update ends. Absent if a turn ends with the answer to its prompt. */
  readonly #turns: WatchedTurns | undefined;
  readonly #implied: ImpliedUpdates | undefined;
  readonly #attempts = new WatchedAttempts<PromptResult>();
  /** Prompt to which the agent has not reacted, in a dialect in which the first update accepts the prompt. */
  #silent: string | undefined;
  /** Number of prompts without an answer, in a dialect in which the answer ends the turn. */
  #unanswered = 0;

  constructor(codec: Codec, host: WatchHost) {
    this.#host = host;
    this.#turns = turnsOf(codec, (event) => this.publish(event));
    this.#implied = this.#turns ? undefined : new ImpliedUpdates();
  }

  /** Applies an event, and publishes it with the implied events that the dialect does not send. */
  publish(event: SessionEvent): void {
    const around = this.#implied?.around(event);
    const { published, guard } = this.#host;
    const notify = (one: SessionEvent) => guard(() => published(one));
    for (const implied of around?.before ?? []) notify(implied);
    guard(() => this.store.dispatch(event));
    notify(event);
    if (event.type === "subagent_update") this.#host.announced(event);
    for (const implied of around?.after ?? []) notify(implied);
  }

  /** `true` while a prompt has no end, or while updates of the agent report work. */
  get isAtWork(): boolean {
    return this.#unanswered > 0 || this.#turns?.isOpen === true || this.#state.activity.state !== "idle";
  }

  /** Applies the answer that opened the session. */
  opened({ cwd, additionalDirectories = [] }: SessionWorkspace, { sessionId, ...lists }: OpenedSession): void {
    this.publish({ type: "session_opened", sessionId, cwd, additionalDirectories, ...lists });
    const { availableCommands } = lists;
    if (!availableCommands?.length) return;
    this.publish({ type: "available_commands_update", availableCommands, isImplied: true });
  }

  /** Replaces the conversation with a replayed one. */
  replayed(events: readonly SessionEvent[]): void {
    this.publish({ type: "replay_started" });
    for (const event of events) this.publish(event);
    this.publish({ type: "replay_ended" });
  }

  /** Applies an update of the agent. */
  updated(received: SessionEvent): void {
    const event = received.type === "current_mode_update" ? optionChange(this.#state, received) : received;
    if (event === undefined) return;
    const isEcho = event.type === "user_message" || event.type === "user_message_chunk";
    if (!isEcho) this.#accept();
    const before = this.#state;
    this.publish(event);
    if (isEcho) this.#accept();
    this.#turns?.updated(event, before);
  }

  /** Applies a prompt, or a further attempt to send the prompt of a key. Call the returned function at the answer. */
  prompted(promptId: string, { prompt: content, idempotencyKey: key }: SentPrompt) {
    return this.#attempts.begin(key, promptId, (id) => this.#sent(id, content, key));
  }

  #sent(promptId: string, content: readonly ContentBlock[], key: string | undefined) {
    this.publish({ type: "prompt_sent", promptId, content, ...(key !== undefined && { idempotencyKey: key }) });
    if (this.#turns === undefined) {
      this.#silent = promptId;
      this.#unanswered += 1;
      this.publish({ type: "turn_started", promptId });
    } else this.#turns.sent(promptId);
    return (result: PromptResult | undefined, error: object | undefined): void => {
      const failure = error === undefined ? undefined : { ...UNKNOWN_ERROR, ...(error as Partial<ErrorObject>) };
      if (this.#turns !== undefined) {
        if (failure !== undefined) this.#turns.failed(promptId, failure);
        else this.#turns.accepted(promptId, result?.messageId);
      } else this.#answered(promptId, result ?? {}, failure);
    };
  }

  /** Applies a cancel of the client. */
  cancelled(): void {
    this.publish({ type: "cancel_asked" });
  }

  /** Applies a question of the agent. Call the returned function at the answer. An error counts as cancelled. */
  asked(question: EventOf<"permission_asked">): (answer: { readonly outcome: PermissionOutcome } | undefined) => void {
    this.#accept();
    this.publish(question);
    const { requestId } = question;
    return (answer) => {
      const { outcome = { outcome: "cancelled" } } = answer ?? {};
      this.publish({ type: "permission_answered", requestId, outcome });
    };
  }

  /** Applies a choice that the agent has accepted. If an update has already applied the choice, nothing happens. */
  set(choice: EventOf<"config_option_update" | "config_option_set"> | undefined): void {
    const change = choice && optionChange(this.#state, choice);
    if (change !== undefined) this.publish(change);
  }

  /** Applies the end of the session. */
  closed(reason?: string): void {
    this.publish({ type: "session_closed", ...(reason !== undefined && { reason }) });
  }

  get #state(): SessionState {
    return this.store.getState();
  }

  /** Accepts the prompt to which the agent has not reacted yet. */
  #accept(): void {
    const promptId = this.#silent;
    this.#silent = undefined;
    if (promptId !== undefined) this.publish({ type: "prompt_accepted", promptId });
  }

  /** Applies the answer that ends a turn. */
  #answered(promptId: string, { messageId, stopReason, usage }: PromptResult, error: ErrorObject | undefined): void {
    this.#unanswered -= 1;
    if (this.#silent === promptId) this.#silent = undefined;
    if (messageId !== undefined) this.publish({ type: "prompt_accepted", promptId, messageId });
    const end =
      error?.code === -32800 ? { stopReason: "cancelled" as const } : error && { stopReason: "error" as const, error };
    this.publish({ type: "turn_ended", promptId, ...(end ?? { stopReason, usage }) });
  }
}
