import type { SessionEvent } from "@turnkit/session";
import { type Room, RpcError, withinGrace } from "@turnkit/transport";
import type { SessionLogWriter } from "./session-log.js";
import { describeEnd, type TurnEnd } from "./turn-end.js";

/** Longest time that the end of a turn waits for the log, in ms. A storage that hangs must not hang the client. */
export const MAX_COMMIT_MS = 30_000;

/** Types of events that `note` ignores: a restore does not need them, or the runtime writes them by `append`. */
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

/** Log of one open session. Its events are the same in every dialect. */
export class Journal {
  readonly #writer: SessionLogWriter;
  readonly #onFault: (message: string, error: unknown) => void;
  #closed: Promise<void> | undefined;
  #failed = false;
  /** Events that wait while the log is read. */
  #waiting: SessionEvent[] | undefined;

  constructor(writer: SessionLogWriter, onFault: (message: string, error: unknown) => void) {
    this.#writer = writer;
    this.#onFault = onFault;
    writer.onProblem?.(onFault);
  }

  /** Largest event as JSON, in bytes. */
  get maxEventBytes(): number {
    return this.#writer.maxEventBytes ?? Number.POSITIVE_INFINITY;
  }

  /** @throws RpcError `-32603` after a failed commit: a turn could not be stored */
  mustWork(): void {
    if (this.#failed) throw RpcError.internalError("the session cannot be stored any more; restore it to go on");
  }

  /** Writes an event that a restore needs, and ignores any other. */
  note(event: SessionEvent): Room {
    return passing.has(event.type) ? undefined : this.append(event);
  }

  /** Writes an event. Does nothing after {@link close}. */
  append(event: SessionEvent): Room {
    if (this.#closed !== undefined) return undefined;
    if (this.#waiting === undefined) return this.#writer.append(event);
    this.#waiting.push(event);
    return undefined;
  }

  /** Writes nothing until {@link resume}: the log then holds exactly the events from before. */
  pause(): void {
    this.#waiting ??= [];
  }

  /** Writes the events that came since {@link pause}. Never throws. */
  resume(): void {
    const events = this.#waiting ?? [];
    this.#waiting = undefined;
    for (const event of events) {
      try {
        this.#writer.append(event);
      } catch (error) {
        this.#onFault("An event that was said during a restore could not be stored.", error);
      }
    }
  }

  /** Stores the end of a turn and returns it, or an error if it cannot be stored. Never rejects. */
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

  /** Commits. Returns false if this or an earlier commit failed, or if the journal is closed. Never rejects. */
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

  /** Writes waiting events and lets others open the session. Never rejects. */
  close(): Promise<void> {
    this.resume();
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
