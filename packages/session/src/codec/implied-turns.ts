import type { SessionEvent } from "../event.js";
import type { WorkEnd } from "./turn-updates.js";

/** Maximum number of open prompts. The oldest is forgotten for one more. */
const MAX_PROMPTS = 1_000;

/**
 * Makes the starts and ends of turns that version 2 lacks, so that listeners get the same events in every dialect. One
 * object serves one session. A turn starts when its prompt is sent, or at the end of the turns before it.
 *
 * The events have `isImplied`. They repeat other events and change no state.
 */
export class ImpliedTurns {
  /** Open prompts in the order in which they were sent, with true for a turn that has started. */
  readonly #open = new Map<string, boolean>();

  /** Returns the events after a prompt was sent. */
  sent(promptId: string): readonly SessionEvent[] {
    this.#open.set(promptId, false);
    const [oldest] = this.#open.keys();
    if (this.#open.size > MAX_PROMPTS) this.#open.delete(oldest as string);
    return this.next();
  }

  /** Returns the events before the agent's acceptance of a prompt. It may add the prompt to running work. */
  taken(promptId: string): readonly SessionEvent[] {
    if (this.#open.get(promptId) !== false) return [];
    this.#open.set(promptId, true);
    return [{ type: "turn_started", promptId, isImplied: true }];
  }

  /** Returns the events at the end of a turn. Call `next` after the end. */
  ended(promptId: string, end: WorkEnd & { readonly agentConfirmed?: boolean }): readonly SessionEvent[] {
    const isStarted = this.#open.get(promptId);
    this.#open.delete(promptId);
    if (!isStarted) return [];
    const { stopReason, error, usage, agentConfirmed } = end;
    const how = { ...(stopReason && { stopReason }), ...(error && { error }), ...(usage && { usage }) };
    const lost = agentConfirmed === false ? { agentConfirmed } : {};
    return [{ type: "turn_ended", promptId, ...how, ...lost, isImplied: true }];
  }

  /** Returns the start of the oldest turn, unless another one is open. */
  next(): readonly SessionEvent[] {
    for (const [promptId, isStarted] of this.#open) return isStarted ? [] : this.#startUnlessBusy(promptId);
    return [];
  }

  #startUnlessBusy(promptId: string): readonly SessionEvent[] {
    return [...this.#open.values()].includes(true) ? [] : this.taken(promptId);
  }
}
