import type { SessionEvent } from "../event.js";
import { dropOldest } from "../oldest.js";
import type { WorkEnd } from "./turn-updates.js";

/** Maximum number of open prompts. Beyond it, the oldest prompt is dropped. */
const MAX_PROMPTS = 1_000;

/**
 * Creates events for the start and end of turns, which version 2 does not have. Listeners then get the same events in
 * every dialect. Each session has its own object. A turn starts when its prompt is sent. If other turns are open, it
 * starts when they have ended.
 *
 * The events have the member `isImplied`. They repeat other events, so they change no state.
 */
export class ImpliedTurns {
  /** Open prompts in the order in which they were sent. The value is `true` if the turn has started. */
  readonly #open = new Map<string, boolean>();

  /** Returns the events after a prompt was sent. */
  sent(promptId: string): readonly SessionEvent[] {
    this.#open.set(promptId, false);
    dropOldest(this.#open, MAX_PROMPTS);
    return this.next();
  }

  /**
   * Returns the events that come before the agent's acceptance of a prompt. The agent may add the prompt to work that
   * is already running.
   */
  taken(promptId: string): readonly SessionEvent[] {
    if (this.#open.get(promptId) !== false) return [];
    this.#open.set(promptId, true);
    return [{ type: "turn_started", promptId, isImplied: true }];
  }

  /** Returns the events for the end of a turn. Call `next` afterwards. */
  ended(promptId: string, end: WorkEnd & { readonly agentConfirmed?: boolean }): readonly SessionEvent[] {
    const isStarted = this.#open.get(promptId);
    this.#open.delete(promptId);
    if (!isStarted) return [];
    const { stopReason, error, usage, agentConfirmed } = end;
    const how = { ...(stopReason && { stopReason }), ...(error && { error }), ...(usage && { usage }) };
    const lost = agentConfirmed === false ? { agentConfirmed } : {};
    return [{ type: "turn_ended", promptId, ...how, ...lost, isImplied: true }];
  }

  /** Returns the event for the start of the oldest turn. Returns none while another turn is open. */
  next(): readonly SessionEvent[] {
    for (const [promptId, isStarted] of this.#open) return isStarted ? [] : this.#startUnlessBusy(promptId);
    return [];
  }

  #startUnlessBusy(promptId: string): readonly SessionEvent[] {
    return [...this.#open.values()].includes(true) ? [] : this.taken(promptId);
  }
}
