import type { Connection, Room } from "@turnkit/transport";
import { HeldUpdates } from "./held-updates.js";

/** Updates of one session on their way to its client, which may not know the session yet. */
export class Outbox {
  readonly #connection: Connection;
  readonly #sessionId: string;
  #held: HeldUpdates | undefined;

  constructor(connection: Connection, sessionId: string) {
    this.#connection = connection;
    this.#sessionId = sessionId;
  }

  /**
   * Refuses an event before it is stored and folded, where its updates could not be kept.
   *
   * @throws AcpError `state` when more is held than may be
   */
  mustTake(event: object): void {
    this.#held?.mustTake(event);
  }

  /** Sends an update, or keeps it back. */
  send(update: object): Room {
    if (this.#held === undefined) {
      return this.#connection.notify("session/update", { sessionId: this.#sessionId, update });
    }
    this.#held.add(update);
    return undefined;
  }

  /** Whether updates are kept back. */
  get isHeld(): boolean {
    return this.#held !== undefined;
  }

  /** Keeps updates back until {@link release} (V1-SESS-04). */
  hold(): void {
    this.#held = new HeldUpdates(this.#sessionId);
  }

  /** Sends what was kept back, in order. */
  release(): void {
    const updates = this.#held?.take() ?? [];
    this.#held = undefined;
    for (const update of updates) this.send(update);
  }
}
