import { bytesOf } from "../bytes.js";
import type { SessionEvent } from "../event.js";

/** Maximum number of updates that wait. */
const MAX_UPDATES = 1_000;
/** Estimated size, in bytes, from which on no further updates wait (4 MiB). A client has the same bound. */
const MAX_BYTES = 4_194_304;

/** Updates that wait, by the id of their session, bounded by number and size. */
export class KeptUpdates {
  readonly #updates = new Map<string, SessionEvent[]>();
  #count = 0;
  #bytes = 0;

  /** Adds an update. Returns `false` if there is no room. */
  add(sessionId: string, event: SessionEvent): boolean {
    if (this.#count >= MAX_UPDATES || this.#bytes >= MAX_BYTES) return false;
    const updates = this.#updates.get(sessionId) ?? [];
    updates.push(event);
    this.#updates.set(sessionId, updates);
    this.#count += 1;
    this.#bytes += bytesOf(event);
    return true;
  }

  /** Removes the updates of a session and returns them. */
  take(sessionId: string): readonly SessionEvent[] {
    const updates = this.#updates.get(sessionId) ?? [];
    this.#updates.delete(sessionId);
    this.#count -= updates.length;
    for (const event of updates) this.#bytes -= bytesOf(event);
    return updates;
  }
}
