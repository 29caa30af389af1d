import { AcpError, type Connection, type Room } from "@turnkit/transport";
import { MAX_HELD_BYTES, MAX_HELD_UPDATES } from "./session.js";

/** Parts of an outbox. */
export type OutboxParts = {
  readonly id: string;
  readonly connection: Connection;
  /** Outbox of the parent of a child session. It holds the updates of both sessions in one order. */
  readonly parent?: Outbox | undefined;
  /** Reports held updates that could not be sent. */
  onFault(message: string, error: unknown): void;
};

/** Params of `session/update`. */
type SentUpdate = { readonly sessionId: string; readonly update: object };

/** Updates of one session before they are sent. Updates are held, within bounds, until the client knows the session. */
export class Outbox {
  readonly sessionId: string;
  readonly #connection: Connection;
  readonly #onFault: (message: string, error: unknown) => void;
  readonly #parent: Outbox | undefined;
  #held: SentUpdate[] | undefined;
  #heldBytes = 0;
  #whenFull: "refuse" | "send" = "refuse";

  constructor({ id, connection, parent, onFault }: OutboxParts) {
    this.#parent = parent;
    this.sessionId = id;
    this.#connection = connection;
    this.#onFault = onFault;
  }

  /** True while updates are held. */
  get isHeld(): boolean {
    return this.#parent?.isHeld ?? this.#held !== undefined;
  }

  /** True while the client does not know the session. */
  get isUnknown(): boolean {
    return this.#parent?.isUnknown ?? (this.#held !== undefined && this.#whenFull === "refuse");
  }

  /**
   * Refuses an event whose updates cannot be held. Call it before the event is stored and applied. During a restore,
   * nothing is refused: at the bound, the held updates are sent.
   *
   * @throws AcpError `state` above {@link MAX_HELD_UPDATES} or {@link MAX_HELD_BYTES}
   */
  mustTake(event: object): void {
    if (this.#parent !== undefined) return this.#parent.mustTake(event);
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
    return this.#send({ sessionId: this.sessionId, update });
  }

  #send(sent: SentUpdate): Room {
    if (this.#parent !== undefined) return this.#parent.#send(sent);
    if (this.#held === undefined) return this.#connection.notify("session/update", sent);
    this.#heldBytes += JSON.stringify(sent.update).length;
    this.#held.push(sent);
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
    if (this.#parent !== undefined) return this.#parent.makeWay();
    if (this.#whenFull === "send") this.release();
  }

  /** Sends the held updates in order. Never throws. */
  release(): void {
    const updates = this.#held ?? [];
    this.#held = undefined;
    this.#whenFull = "refuse";
    try {
      for (const update of updates) this.#send(update);
    } catch (error) {
      this.#onFault("Updates of a session that waited for an answer were dropped.", error);
    }
  }
}
