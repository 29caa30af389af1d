import type { TurnEnd } from "@turnkit/agent/driver";
import type { ErrorObject, SessionEvent, StopReason } from "@turnkit/session";
import { RpcError } from "@turnkit/transport";

/** End of a turn in a log. */
export type StoredEnd = { readonly stopReason: StopReason; readonly error?: ErrorObject };

/** End of a turn whose owner has ended, or has lost the session. */
export const interrupted: StoredEnd = {
  stopReason: "error",
  error: { code: -32603, message: "The turn was interrupted: its gateway has ended, or has lost the session" },
};

/** End of a turn whose gateway is ending. */
export const shutDown: StoredEnd = {
  stopReason: "error",
  error: { code: -32603, message: "The turn was interrupted: its gateway is ending" },
};

/** End of a turn that a client has cancelled, and whose gateway has ended. */
export const cancelled: StoredEnd = { stopReason: "cancelled" };

/** End of a turn whose answer could not be stored. Clients that attach later may miss parts of it. */
export const unstored: StoredEnd & { readonly error: ErrorObject } = {
  stopReason: "error",
  error: { code: -32603, message: "The turn has ended, but its answer could not be stored" },
};

/** Returns the end of a turn, for the prompt of that turn. */
export const turnEndOf = ({ stopReason, error }: StoredEnd): TurnEnd =>
  error ? { error: new RpcError(error.code, error.message, error.data) } : { stopReason };

/** Members of an activity in a log. */
type Noted = {
  readonly state: unknown;
  readonly stopReason?: StopReason | null | undefined;
  readonly error?: ErrorObject | null | undefined;
};

/** Ends of turns, collected while a log is read. */
// NATS-09
export class StoredTurns {
  /** Ends of the turns, by the ids of their messages. A log that was compacted has only the end of its last turn. */
  readonly #ends = new Map<string, StoredEnd>();
  /** Position of each message in the log. */
  readonly #order = new Map<string, number>();
  #open: string[] = [];
  #isOpen = false;

  /** True if no end of a turn follows the last stored prompt, because the gateway died in the middle of the turn. */
  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** Returns true if the first message follows the other one in the log. */
  isLater(messageId: string, other: string): boolean {
    return (this.#order.get(messageId) ?? 0) > (this.#order.get(other) ?? Number.POSITIVE_INFINITY);
  }

  /** Returns the end of the turn of a message, or `undefined` if the log has none. */
  endOf(messageId: string): StoredEnd | undefined {
    return this.#ends.get(messageId);
  }

  /** Yields the events of a log unchanged, and collects the ends of its turns. */
  async *noted(events: AsyncIterable<SessionEvent>): AsyncIterable<SessionEvent> {
    for await (const event of events) {
      if (event.type === "user_message" || event.type === "user_message_chunk") this.#begin(event.messageId);
      else if (event.type === "state_update") this.#note(event);
      else if (event.type === "state_restored" && event.member === "activity")
        this.#noteCompacted(event.value as Noted);
      yield event;
    }
  }

  #begin(messageId: string | undefined): void {
    this.#isOpen = true;
    if (messageId === undefined) return;
    this.#open.push(messageId);
    if (!this.#order.has(messageId)) this.#order.set(messageId, this.#order.size);
  }

  /**
   * Records the only activity of a log that was compacted. This activity follows all messages, and belongs to the last
   * turn.
   */
  #noteCompacted(activity: Noted): void {
    this.#open = this.#open.slice(-1);
    this.#note(activity);
  }

  #note({ state, stopReason, error }: Noted): void {
    this.#isOpen = state !== "idle";
    if (this.#isOpen) return;
    const known = { stopReason: stopReason ?? "end_turn", ...(error && { error }) };
    const end = stopReason === "error" && !error ? interrupted : known;
    for (const messageId of this.#open) this.#ends.set(messageId, end);
    this.#open = [];
  }
}
