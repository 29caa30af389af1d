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

  /** @throws AcpError `state` at the bound */
  add(update: object): void {
    this.#bytes += JSON.stringify(update).length;
    if (this.#updates.length >= MAX_HELD_UPDATES || this.#bytes > MAX_HELD_BYTES) {
      throw new AcpError(
        "state",
        `Too many updates before session ${this.#sessionId} was announced. Send the rest after newSession returned.`,
      );
    }
    this.#updates.push(update);
  }

  take(): readonly object[] {
    const updates = this.#updates;
    this.#updates = [];
    return updates;
  }
}
