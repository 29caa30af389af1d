import type { SessionEvent } from "@turnkit/session";
import { type Room, RpcError, withinGrace } from "@turnkit/transport";
import { describeEnd } from "./driver/turns-by-answer.js";
import type { TurnEnd } from "./prompt-job.js";
import type { SessionLogWriter } from "./session-log.js";

/** How long a turn's end waits for the log, in ms: a storage that hangs must not hang the client. */
export const MAX_COMMIT_MS = 30_000;

/** Of the moment, or told by the journal itself: a restore needs nothing of it. */
const passing: ReadonlySet<SessionEvent["type"]> = new Set([
  "state_update",
  "turn_started",
  "turn_ended",
  "session_opened",
  "permission_asked",
  "permission_answered",
  "elicitation_asked",
  "elicitation_answered",
  "elicitation_completed",
]);

/** What one session writes to the log, in words that are the same for every dialect. */
export class Journal {
  readonly #writer: SessionLogWriter;
  readonly #onFault: (message: string, error: unknown) => void;
  #closed: Promise<void> | undefined;
  #failed = false;

  constructor(writer: SessionLogWriter, onFault: (message: string, error: unknown) => void) {
    this.#writer = writer;
    this.#onFault = onFault;
    writer.onProblem?.(onFault);
  }

  /** The most that one event may take as JSON, in bytes. */
  get maxEventBytes(): number {
    return this.#writer.maxEventBytes ?? Number.POSITIVE_INFINITY;
  }

  /** @throws RpcError `-32603` when nothing can be written any more: what a turn would do could not be stored */
  mustWork(): void {
    if (this.#failed) throw RpcError.internalError("the session cannot be stored any more; restore it to go on");
  }

  /** Takes an event unless it is of the moment. */
  note(event: SessionEvent): Room {
    return passing.has(event.type) ? undefined : this.append(event);
  }

  append(event: SessionEvent): Room {
    return this.#closed === undefined ? this.#writer.append(event) : undefined;
  }

  /** Stores the end of a turn. What cannot be stored did not end well: the client must not believe that it did. */
  async endTurn(promptId: string, end: TurnEnd): Promise<TurnEnd> {
    try {
      this.append({ type: "turn_ended", promptId, ...describeEnd(end) });
      await this.#commit();
      return end;
    } catch (error) {
      this.#failed = true;
      this.#onFault("The end of a turn could not be stored.", error);
      return { error: RpcError.internalError("the end of the turn could not be stored") };
    }
  }

  /** Writes what waits; `false` when nothing can be written any more. */
  async flush(): Promise<boolean> {
    if (this.#failed || this.#closed !== undefined) return false;
    try {
      await this.#commit();
      return true;
    } catch (error) {
      this.#failed = true;
      this.#onFault("The log of a session could not be written.", error);
      return false;
    }
  }

  /** Writes what waits and lets others open the session. Never rejects. */
  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  async #close(): Promise<void> {
    try {
      await this.#writer[Symbol.asyncDispose]();
    } catch (error) {
      this.#onFault("The log of a session could not be closed.", error);
    }
  }

  async #commit(): Promise<void> {
    const isInTime = await withinGrace(this.#writer.commit(), MAX_COMMIT_MS);
    if (!isInTime) throw new Error(`The log did not commit within ${MAX_COMMIT_MS} ms.`);
  }
}
