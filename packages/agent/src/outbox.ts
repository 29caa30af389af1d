import { AcpError, type Connection, type Room } from "@turnkit/transport";
import { MAX_HELD_BYTES, MAX_HELD_UPDATES } from "./session.js";

/** Parts of an outbox. */
export type OutboxParts = {
  readonly id: string;
  readonly connection: Connection;
  /** Reports held updates that could not be sent. */
  onFault(message: string, error: unknown): void;
};

/** Updates of one session before they are sent. Updates are held, within bounds, until the client knows the session. */
export class Outbox {
  readonly sessionId: string;
  readonly #connection: Connection;
  readonly #onFault: (message: string, error: unknown) => void;
  #held: object[] | undefined;
  #heldBytes = 0;
  #whenFull: "refuse" | "send" = "refuse";

  constructor({ id, connection, onFault }: OutboxParts) {
    this.sessionId = id;
    this.#connection = connection;
    this.#onFault = onFault;
  }

  /** True while updates are held. */
  get isHeld(): boolean {
    return this.#held !== undefined;
  }

  /**
   * Refuses an event whose updates cannot be held. Call it before the event is stored and applied. During a restore,
   * nothing is refused: at the bound, the held updates are sent.
   *
   * @throws AcpError `state` above {@link MAX_HELD_UPDATES} or {@link MAX_HELD_BYTES}
   */
  mustTake(event: object): void {
    if (this.#held === undefined) return;
    const bytes = this.#heldBytes + JSON.stringify(event).length;
    if (this.#held.length < MAX_HELD_UPDATES && bytes <= MAX_HELD_BYTES) return;
    if (this.#whenFull === "send") return this.release();
    throw new AcpError(
      "state",
      `The client does not know session ${this.sessionId} yet, and too many updates wait. Send the others after the handler returned.`,
    );
  }

  /** Sends or holds an update. The updates of the last accepted event may exceed the bound. */
  send(update: object): Room {
    if (this.#held === undefined) {
      return this.#connection.notify("session/update", { sessionId: this.sessionId, update });
    }
    this.#heldBytes += JSON.stringify(update).length;
    this.#held.push(update);
    return undefined;
  }

  /** Holds updates until {@link release}. `whenFull` decides about an update above the bounds. */
  hold(whenFull: "refuse" | "send" = "refuse"): void {
    this.#whenFull = whenFull;
    if (this.#held !== undefined) return;
    // V1-SESS-04
    this.#held = [];
    this.#heldBytes = 0;
  }

  /** Sends the held updates of a restore before this side sends a request. */
  makeWay(): void {
    if (this.#whenFull === "send") this.release();
  }

  /** Sends the held updates in order. Never throws. */
  release(): void {
    const updates = this.#held ?? [];
    this.#held = undefined;
    this.#whenFull = "refuse";
    try {
      for (const update of updates) this.send(update);
    } catch (error) {
      this.#onFault("Updates of a session that waited for an answer were dropped.", error);
    }
  }
}
