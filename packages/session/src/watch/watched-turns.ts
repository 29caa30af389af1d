import type { Codec } from "../codec/codec.js";
import { ImpliedTurns } from "../codec/implied-turns.js";
import type { TurnUpdates, WorkEnd } from "../codec/turn-updates.js";
import type { SessionEvent, WireEvent } from "../event.js";
import { dropOldest } from "../oldest.js";
import type { SessionState } from "../state.js";

/** Maximum number of stored user messages. Beyond it, the oldest is dropped. */
const MAX_ECHOES = 1_000;

type Publish = (event: SessionEvent) => void;

/**
 * Turns that an update ends, as in version 2. The object creates the events for starts and ends of turns that the
 * dialect does not have.
 */
export class WatchedTurns {
  readonly #turns: TurnUpdates;
  readonly #publish: Publish;
  readonly #implied = new ImpliedTurns();
  readonly #unanswered = new Set<string>();
  readonly #taken = new Set<string>();
  /** User messages that arrived while an answer is open, each with the first end after it. */
  readonly #echoes = new Map<string, WorkEnd | undefined>();

  constructor(turns: TurnUpdates, publish: Publish) {
    this.#turns = turns;
    this.#publish = publish;
  }

  sent(promptId: string): void {
    this.#unanswered.add(promptId);
    this.#publishAll(this.#implied.sent(promptId));
  }

  accepted(promptId: string, messageId: string | undefined): void {
    const end = this.#claim(messageId);
    this.#answered(promptId);
    this.#publishAll(this.#implied.taken(promptId));
    this.#publish({ type: "prompt_accepted", promptId, ...(messageId !== undefined && { messageId }) });
    if (end === undefined) this.#taken.add(promptId);
    else this.#end([promptId], end);
  }

  /** `true` while a prompt has no end. */
  get isOpen(): boolean {
    return this.#unanswered.size > 0 || this.#taken.size > 0;
  }

  failed(promptId: string, error: NonNullable<WorkEnd["error"]>): void {
    this.#answered(promptId);
    this.#publish({ type: "prompt_failed", promptId, error });
    this.#end([promptId], error.code === -32800 ? { stopReason: "cancelled" } : { stopReason: "error", error });
  }

  /** Handles an update of the agent that was published. `before` is the state before this update. */
  updated(event: SessionEvent, before: SessionState): void {
    if (event.type === "user_message" || event.type === "user_message_chunk") this.#echoed(event.messageId);
    const end = this.#turns.endIn(event as WireEvent, before);
    if (end === undefined) return;
    for (const [messageId, first] of this.#echoes) if (first === undefined) this.#echoes.set(messageId, end);
    const taken = [...this.#taken];
    this.#taken.clear();
    this.#end(taken, end);
  }

  #echoed(messageId: string | undefined): void {
    if (messageId === undefined || this.#unanswered.size === 0 || this.#echoes.has(messageId)) return;
    this.#echoes.set(messageId, undefined);
    dropOldest(this.#echoes, MAX_ECHOES);
  }

  /**
   * Removes the stored user message of a prompt. Without an id, this is the oldest message. Returns the end of its work, if
   * the work has ended.
   */
  // V2-SEED-09
  #claim(messageId: string | undefined): WorkEnd | undefined {
    const id = messageId ?? this.#echoes.keys().next().value;
    if (id === undefined) return undefined;
    const end = this.#echoes.get(id);
    this.#echoes.delete(id);
    return end;
  }

  #answered(promptId: string): void {
    this.#unanswered.delete(promptId);
    if (this.#unanswered.size === 0) this.#echoes.clear();
  }

  #end(promptIds: readonly string[], end: WorkEnd): void {
    for (const promptId of promptIds) this.#publishAll(this.#implied.ended(promptId, end));
    this.#publishAll(this.#implied.next());
  }

  #publishAll(events: readonly SessionEvent[]): void {
    for (const event of events) this.#publish(event);
  }
}

/** Returns an object for the turns of a dialect in which updates end them. Returns `undefined` for other dialects. */
export const turnsOf = (codec: Codec, publish: Publish): WatchedTurns | undefined =>
  codec.turns && new WatchedTurns(codec.turns, publish);
