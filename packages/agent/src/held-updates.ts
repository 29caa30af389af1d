import { AcpError } from "@turnkit/transport";
import { MAX_HELD_BYTES, MAX_HELD_UPDATES } from "./session.js";

/** Updates of a session that its client does not know yet. Bounded: nobody can read them before it does. */
export class HeldUpdates {
  readonly #sessionId: string;
  #updates: object[] = [];
  #bytes = 0;

  constructor(sessionId: string) {
    this.#sessionId = sessionId;
  }

  /**
   * Refuses an event before anything is made of it.
   *
   * @throws AcpError `state` at the bound
   */
  mustTake(event: object): void {
    const bytes = this.#bytes + JSON.stringify(event).length;
    if (this.#updates.length < MAX_HELD_UPDATES && bytes <= MAX_HELD_BYTES) return;
    throw new AcpError(
      "state",
      `Too many updates before session ${this.#sessionId} was announced. Send the rest after newSession returned.`,
    );
  }

  /** Takes an update of an event that was let in; so the last event may go beyond the bound. */
  add(update: object): void {
    this.#bytes += JSON.stringify(update).length;
    this.#updates.push(update);
  }

  take(): readonly object[] {
    const updates = this.#updates;
    this.#updates = [];
    return updates;
  }
}
