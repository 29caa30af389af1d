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

/**
 * Reason to hold updates. `opening`: the client does not know the session. `restore`: a replay is sent first. `storing`: the
 * log has not stored a prompt.
 */
type Reason = keyof typeof REASONS;

const REASONS = { opening: 1, restore: 2, storing: 4 } as const;

/** Updates of one session before they are sent. They are held, within bounds, while there is a reason. */
export class Outbox {
  readonly sessionId: string;
  readonly #connection: Connection;
  readonly #onFault: (message: string, error: unknown) => void;
  readonly #parent: Outbox | undefined;
  #held: SentUpdate[] | undefined;
  #heldBytes = 0;
  /** Sum of the reasons to hold updates. */
  #reasons = 0;
  /** Number of the first held updates that a replay repeats. */
  #repeated = 0;

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
    return this.#parent?.isUnknown ?? (this.#reasons & REASONS.opening) !== 0;
  }

  /**
   * Refuses an event whose updates cannot be held. Call it before the event is stored and applied. If the client knows the
   * session, nothing is refused: at the bound, the held updates are sent.
   *
   * @throws AcpError `state` above {@link MAX_HELD_UPDATES} or {@link MAX_HELD_BYTES}
   */
  mustTake(event: object): void {
    if (this.#parent !== undefined) return this.#parent.mustTake(event);
    if (this.#held === undefined) return;
    const bytes = this.#heldBytes + JSON.stringify(event).length;
    if (this.#held.length < MAX_HELD_UPDATES && bytes <= MAX_HELD_BYTES) return;
    if (!this.isUnknown) return this.release();
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

  /** Holds updates until the {@link release} of every reason. */
  hold(reason: Reason): void {
    this.#reasons |= REASONS[reason];
    if (this.#held !== undefined) return;
    // V1-SESS-04
    this.#held = [];
    this.#heldBytes = 0;
  }

  /** Sends the held updates of a restore before this side sends a request. */
  makeWay(): void {
    if (this.#parent !== undefined) return this.#parent.makeWay();
    if (!this.isUnknown) this.release();
  }

  /** Marks the held updates as repeated by the replay, because the log has stored their events. */
  markRepeated(): void {
    this.#repeated = this.#held?.length ?? 0;
  }

  /** Sends the held updates after the replay, without those that it has repeated. Never throws. */
  releaseAfterReplay(): void {
    const repeated = this.#repeated;
    this.#held = this.#held?.filter((sent, at) => at >= repeated || this.#isApart(sent));
    this.release("restore");
  }

  /** Returns true for an update that no replay repeats: a notice, or a state of this session. */
  #isApart({ sessionId, update }: SentUpdate): boolean {
    const { sessionUpdate } = update as { readonly sessionUpdate?: string };
    return sessionId === this.sessionId && (sessionUpdate === "notice" || sessionUpdate === "state_update");
  }

  /** Sends the held updates in order if no other reason is left. Without a reason, none is left. Never throws. */
  release(reason?: Reason): void {
    this.#reasons &= reason === undefined ? 0 : ~REASONS[reason];
    if (this.#reasons !== 0) return;
    const updates = this.#held ?? [];
    this.#held = undefined;
    this.#repeated = 0;
    try {
      for (const update of updates) this.#send(update);
    } catch (error) {
      this.#onFault("Updates of a session that waited for an answer were dropped.", error);
    }
  }
}
