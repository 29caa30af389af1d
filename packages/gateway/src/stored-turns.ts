import type { TurnEnd } from "@turnkit/agent/driver";
import type { ErrorObject, SessionEvent, StopReason } from "@turnkit/session";
import { RpcError } from "@turnkit/transport";

/** End of a turn whose gateway has ended. */
export const INTERRUPTED = { code: -32603, message: "The turn was interrupted: the gateway has ended" };

/** Notes, while a log is read, which turns have ended. */
// NATS-09
export class StoredTurns {
  /** Ends of the turns, by the ids of their messages. A log that was compacted has only the last end. */
  readonly #ends = new Map<string, TurnEnd>();
  #open: string[] = [];
  #isOpen = false;

  /** True if the message of a prompt was stored, and no end of a turn after it: the gateway died in between. */
  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** Returns the end of the turn of a message. A turn without an end was interrupted. */
  endOf(messageId: string): TurnEnd {
    return this.#ends.get(messageId) ?? interrupted;
  }

  /** Returns the same events. */
  async *noted(events: AsyncIterable<SessionEvent>): AsyncIterable<SessionEvent> {
    for await (const event of events) {
      if (event.type === "user_message" || event.type === "user_message_chunk") this.#begin(event.messageId);
      else if (event.type === "state_update") this.#note(event);
      // The last activity in a log that was compacted.
      else if (event.type === "state_restored" && event.member === "activity") this.#note(event.value as Noted);
      yield event;
    }
  }

  #begin(messageId: string | undefined): void {
    this.#isOpen = true;
    if (messageId !== undefined) this.#open.push(messageId);
  }

  #note({ state, stopReason, error }: Noted): void {
    this.#isOpen = state !== "idle";
    if (this.#isOpen) return;
    const ended: TurnEnd = error
      ? { error: new RpcError(error.code, error.message, error.data) }
      : { stopReason: stopReason ?? "end_turn" };
    const end = stopReason === "error" && !error ? interrupted : ended;
    for (const messageId of this.#open) this.#ends.set(messageId, end);
    this.#open = [];
  }
}

/** Members of an activity that is stored. */
type Noted = {
  readonly state: unknown;
  readonly stopReason?: StopReason | null | undefined;
  readonly error?: ErrorObject | null | undefined;
};

const interrupted: TurnEnd = { error: new RpcError(INTERRUPTED.code, INTERRUPTED.message) };
