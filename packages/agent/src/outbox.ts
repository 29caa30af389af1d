import { AcpError, type Connection, type Room, withinGrace } from "@turnkit/transport";
import { Deferred } from "./deferred.js";
import { MAX_HELD_BYTES, MAX_HELD_UPDATES } from "./session.js";

/** Maximum number of updates of a session that wait for the end of a replay, or for the log to store a prompt. */
const MAX_WAITING_UPDATES = 50_000;

/** Longest wait of a question for the end of a replay, in ms. */
const MAX_QUESTION_WAIT_MS = 1_000;

/** Approximate maximum size of these updates, in bytes. */
export const MAX_WAITING_BYTES = 16 * 1024 * 1024;

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
 * Reason to hold updates. `opening`: the client does not know the session. `restore`: a restore has not succeeded yet.
 * `storing`: the log has not stored a prompt.
 */
type Reason = keyof typeof REASONS;

const REASONS = { opening: 1, restore: 2, storing: 4 } as const;

/** Updates of one session before they are sent. They are held, within bounds, while there is a reason. */
export class Outbox {
  readonly sessionId: string;
  /** True if the session is restored with a replay from the log. Updates of older sessions of the id have to follow it. */
  sendsReplay = false;
  readonly #connection: Connection;
  readonly #onFault: (message: string, error: unknown) => void;
  readonly #parent: Outbox | undefined;
  #held: SentUpdate[] | undefined;
  #heldBytes = 0;
  /** Sum of the reasons to hold updates. */
  #reasons = 0;
  /** Number of held updates that a replay repeats. They are the oldest held updates. */
  #repeated = 0;
  /** Fails the replay that the held updates follow. `undefined` if no held update has to follow a replay. */
  #failReplay: (() => void) | undefined;
  /** Settles when no update has to wait any more. */
  #isFree: Deferred<void> | undefined;

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

  /** True while a restore has not succeeded. */
  get isRestoring(): boolean {
    return (this.#reasons & REASONS.restore) !== 0;
  }

  /** True if no update may be sent now, for any number of waiting updates. */
  get #mustWait(): boolean {
    return this.#failReplay !== undefined || (this.#reasons & REASONS.storing) !== 0;
  }

  /**
   * Refuses an event whose updates cannot be held. Call it before the event is stored and applied.
   *
   * | held for | at the bound |
   * |---|---|
   * | an answer to `session/new` | the event is refused |
   * | a replay | the replay fails. The event is refused at twice the bound |
   * | the storing of a prompt | the event is refused at twice the bound |
   * | another restore | the held updates are sent |
   *
   * @throws AcpError `state` for a refused event
   */
  // P-REPLAY-11
  mustTake(event: object): void {
    if (this.#parent !== undefined) return this.#parent.mustTake(event);
    if (this.#held === undefined) return;
    const most = this.#mustWait ? WAITING : HELD;
    const bytes = this.#heldBytes + JSON.stringify(event).length;
    const fill = Math.max((this.#held.length + 1) / most.updates, bytes / most.bytes);
    if (fill <= 1) return;
    if (this.isUnknown) {
      throw this.#full("The client does not know the session yet", "Send the others after the handler returned.");
    }
    if (!this.#mustWait) return this.release("restore");
    this.#failReplay?.();
    if (fill > 2) throw this.#full("The log or a replay of the session is not done", "Send the others later.");
  }

  #full(reason: string, remedy: string): AcpError {
    return new AcpError("state", `${reason}, and too many updates of session ${this.sessionId} wait. ${remedy}`);
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

  /**
   * Holds updates until the {@link release} of every reason. With `failReplay`, the updates have to follow a replay, and too
   * many of them make the replay fail.
   */
  hold(reason: Reason, failReplay?: () => void): void {
    this.#reasons |= REASONS[reason];
    this.#failReplay = failReplay ?? this.#failReplay;
    if (this.#held !== undefined) return;
    // V1-SESS-04
    this.#held = [];
    this.#heldBytes = 0;
  }

  /**
   * Sends the held updates before this side sends a request. Returns a promise if they have to wait. The promise is
   * settled when they are sent, or when the signal fires. A replay fails if a question has to wait for it for too long.
   */
  makeWay(signal: AbortSignal): Promise<void> | undefined {
    if (this.#parent !== undefined) return this.#parent.makeWay(signal);
    if (this.#mustWait) return this.#whenFree(signal);
    this.release("restore");
    return undefined;
  }

  async #whenFree(signal: AbortSignal): Promise<void> {
    const aborted = new Deferred<void>();
    const abort = (): void => aborted.resolve();
    signal.addEventListener("abort", abort, { once: true });
    while (this.#mustWait && !signal.aborted) {
      const isInTime = await withinGrace(Promise.race([this.free, aborted.promise]), MAX_QUESTION_WAIT_MS);
      // Otherwise the two could wait for each other, because the replay may wait for the work that asks the question.
      if (!isInTime) this.#failReplay?.();
    }
    signal.removeEventListener("abort", abort);
    if (!signal.aborted) this.release("restore");
  }

  /** Settles when the held updates are sent. */
  get free(): Promise<void> {
    this.#isFree ??= new Deferred();
    return this.#isFree.promise;
  }

  /** Number of held updates. */
  get held(): number {
    return this.#held?.length ?? 0;
  }

  /** Drops held updates, because the log did not store their events. */
  drop(from: number, count: number): void {
    this.#held?.splice(from, count);
  }

  /** Marks the held updates as repeated by the replay, because the log has stored their events. */
  markRepeated(): void {
    this.#repeated = this.#held?.length ?? 0;
  }

  /** Sends the held updates after the replay, without those that it has repeated. Never throws. */
  releaseAfterReplay(): void {
    const repeated = this.#repeated;
    this.#repeated = 0;
    this.#held = this.#held?.filter((sent, at) => at >= repeated || this.#isApart(sent));
    this.release("restore");
  }

  /** Returns true for an update that no replay repeats: a notice, or a state of this session. */
  #isApart({ sessionId, update }: SentUpdate): boolean {
    const { sessionUpdate } = update as { readonly sessionUpdate?: string };
    return sessionUpdate === "notice" || (sessionId === this.sessionId && sessionUpdate === "state_update");
  }

  /** Sends the held updates in order if no other reason is left. Never throws. */
  release(reason: Reason): void {
    this.#reasons &= ~REASONS[reason];
    if (reason === "restore") this.#failReplay = undefined;
    if (this.#reasons !== 0) return;
    const updates = this.#held ?? [];
    this.#held = undefined;
    this.#repeated = 0;
    try {
      for (const update of updates) this.#send(update);
    } catch (error) {
      this.#onFault("Updates of a session that waited for an answer were dropped.", error);
    }
    this.#isFree?.resolve();
    this.#isFree = undefined;
  }
}

const HELD = { updates: MAX_HELD_UPDATES, bytes: MAX_HELD_BYTES };

const WAITING = { updates: MAX_WAITING_UPDATES, bytes: MAX_WAITING_BYTES };
