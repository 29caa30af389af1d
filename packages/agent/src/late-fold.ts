import {
  type ContentBlock,
  createSessionState,
  reduce,
  reduceAll,
  type SessionEvent,
  type SessionState,
  type StateLimits,
} from "@turnkit/session";
import type { StatesAround } from "@turnkit/session/codec";

/** How much may wait to be folded, in characters of text and what events count beside theirs. */
const MAX_WAITING = 64 * 1024;
/** Where states are small, less may: this share of their bytes. */
const SHARE = 8;
const PIECE = 128;
/** What begins or ends a turn takes longer to fold: the prompt on which that falls is to be hardly slower than others. */
const TURN = 4_096;

/**
 * The state of one session, folded when somebody reads it: prompts, and what is said piece by piece, wait, since folding many
 * pieces together costs a fraction of folding each by itself. Nobody sees the difference.
 */
export class LateFold implements StatesAround {
  /** Before the events that wait, and before the newest. */
  #state: SessionState;
  #waiting: SessionEvent[] = [];
  #weight = 0;
  readonly #most: number;
  #newest: SessionEvent | undefined;
  #after: SessionState | undefined;

  constructor(limits: Partial<StateLimits>) {
    this.#state = createSessionState(limits);
    this.#most = Math.min(MAX_WAITING, this.#state.limits.stateBytes / SHARE);
  }

  /** The state before the newest event. */
  get before(): SessionState {
    this.#weight = 0;
    if (this.#waiting.length > 0) {
      this.#state = reduceAll(this.#state, this.#waiting);
      this.#waiting = [];
    }
    return this.#state;
  }

  /** The state after all events. */
  get after(): SessionState {
    if (this.#newest === undefined) return this.#state;
    this.#after ??= reduce(this.before, this.#newest);
    return this.#after;
  }

  /** Takes an event, which nobody changes. The states around it are to be read before the next one comes. */
  add(event: SessionEvent): StatesAround {
    if (this.#after !== undefined) this.#state = this.#after;
    else if (this.#newest !== undefined) this.#waiting.push(this.#newest);
    this.#after = undefined;
    this.#weight += weightOf(event);
    const waits = this.#weight <= this.#most;
    this.#newest = event;
    return waits ? this : { before: this.before, after: this.after };
  }
}

/** What an event counts while it waits; what may be large beside its text, or is seldom, does not wait. */
function weightOf(event: SessionEvent): number {
  switch (event.type) {
    case "agent_message_chunk":
    case "agent_thought_chunk":
      return PIECE + lengthOf(event.content);
    case "user_message":
      return Array.isArray(event.content) ? event.content.reduce((sum, block) => sum + lengthOf(block), TURN) : TURN;
    case "turn_started":
      return TURN;
    case "turn_ended":
      return event.error == null ? TURN : Number.POSITIVE_INFINITY;
    case "state_update":
      return event.error == null && event.background == null ? TURN : Number.POSITIVE_INFINITY;
    default:
      return Number.POSITIVE_INFINITY;
  }
}

function lengthOf(block: ContentBlock | undefined): number {
  const isText = block?.type === "text" && "text" in block && typeof block.text === "string";
  return isText ? block.text.length : Number.POSITIVE_INFINITY;
}
