import type { SessionState } from "@turnkit/session";
import type { StoredTurns } from "./stored-turns.js";

/**
 * Work of an owner, after this gateway has lost its channel to the owner and opened another one. The replay of the owner is
 * older than the log, so a turn that has ended in the log may still be open in the replay.
 */
export class WorkAtOwner {
  /** Cancels the work. */
  readonly cancel: () => void;
  readonly #turns: StoredTurns;
  readonly #isIdle: boolean;
  /** Id of the last message of a user in the replay. */
  readonly #last: string | undefined;

  constructor(turns: StoredTurns, { timeline, activity }: SessionState, cancel: () => void) {
    this.cancel = cancel;
    this.#turns = turns;
    this.#isIdle = activity.state === "idle";
    const last = timeline.toArray().findLast((entry) => entry.type === "message" && entry.role === "user");
    this.#last = last?.type === "message" ? last.messageId : undefined;
  }

  /** Returns true if the replay has the message of a prompt. Otherwise, the owner sends the message later. */
  hasShown(messageId: string): boolean {
    return this.#last === undefined || !this.#turns.isLater(messageId, this.#last);
  }

  /** Returns true if the turn of a message has not ended in the replay. The owner then sends the end over the new channel. */
  goesOn(messageId: string): boolean {
    if (!this.hasShown(messageId)) return true;
    if (this.#isIdle) return false;
    // The replay has only one open turn, the last one. All messages of one turn have the same end in the log.
    const end = this.#turns.endOf(messageId);
    return end === (this.#last === undefined ? undefined : this.#turns.endOf(this.#last));
  }
}
