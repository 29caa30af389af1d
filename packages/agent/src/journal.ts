import type { ConfigOption, SessionEvent } from "@turnkit/session";
import { jsonBytes } from "@turnkit/session/codec";
import { AcpError, type Room, RpcError, withinGrace } from "@turnkit/transport";
import { optionsWith } from "./config-value.js";
import { SessionLogError, type SessionLogWriter } from "./session-log.js";
import { describeEnd, type TurnEnd } from "./turn-end.js";

/** Longest time to wait for a commit or the close of a log, in ms. A storage that hangs must not hang the client. */
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

/** Choice of the user that could not be made again. */
export type UnmadeChoice = { readonly value: string | boolean; readonly instead?: string | boolean | undefined };

/** Log of one open session. Its events are the same in every dialect. */
export class Journal {
  readonly #writer: SessionLogWriter;
  readonly #onFault: (message: string, error: unknown) => void;
  #closed: Promise<void> | undefined;
  #failed = false;
  /** Events that wait while the log is read. */
  #waiting: SessionEvent[] | undefined;
  /**
   * The user's choices that are not made again in the open session, by option. Each is stored in place of the session's
   * value, or of the value `instead` of it alone.
   */
  #unmade = new Map<string, UnmadeChoice>();

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
    const stored = this.#unmade.size === 0 ? event : this.#withChoices(event);
    if (this.#waiting === undefined) return this.#writer.append(stored);
    this.#waiting.push(stored);
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

  /** Sets the choices that are stored from now on in place of the session's values. */
  keepChoices(unmade: ReadonlyMap<string, UnmadeChoice>): void {
    this.#unmade = new Map(unmade);
  }

  /** Forgets the stored choice of an option, for another choice of the user. Returns true if there was one. */
  dropChoice(configId: string): boolean {
    return this.#unmade.delete(configId);
  }

  #withChoices(event: SessionEvent): SessionEvent {
    if (!("configOptions" in event) || event.configOptions == null) return event;
    let options: readonly ConfigOption[] = event.configOptions;
    for (const option of options) {
      const choice = this.#unmade.get(option.configId);
      if (choice === undefined || !("currentValue" in option)) continue;
      if (choice.instead !== undefined && choice.instead !== option.currentValue) continue;
      options = optionsWith(options, option.configId, choice.value);
    }
    return { ...event, configOptions: options } as SessionEvent;
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

  /** Writes waiting events and lets others open the session. Takes at most {@link MAX_COMMIT_MS}. Never rejects. */
  close(): Promise<void> {
    this.resume();
    this.#closed ??= this.#close();
    return this.#closed;
  }

  async #close(): Promise<void> {
    try {
      const isInTime = await withinGrace(this.#writer[Symbol.asyncDispose]() as Promise<void>, MAX_COMMIT_MS);
      if (!isInTime) throw new Error(`The log did not close within ${MAX_COMMIT_MS} ms.`);
    } catch (error) {
      this.#onFault("The log of a session could not be closed.", error);
    }
  }

  async #commit(): Promise<void> {
    const isInTime = await withinGrace(this.#writer.commit(), MAX_COMMIT_MS);
    if (!isInTime) throw new Error(`The log did not commit within ${MAX_COMMIT_MS} ms.`);
  }
}

/** Most bytes of JSON that a restore may say before it succeeds. */
const MAX_DRAFT_BYTES = 64 * 1024 * 1024;

/** Writer that keeps the events of a restore, up to 64 MiB, until it succeeds. */
export class DraftWriter implements SessionLogWriter {
  readonly events: SessionEvent[] = [];
  readonly maxEventBytes: number;
  #bytes = 0;

  constructor(maxEventBytes: number) {
    this.maxEventBytes = maxEventBytes;
  }

  append(event: SessionEvent): Room {
    const bytes = jsonBytes(event);
    if (bytes > this.maxEventBytes) {
      const message = `One ${event.type} is ${bytes} bytes, and ${this.maxEventBytes} is the most that can be stored.`;
      throw new SessionLogError("too_large", message);
    }
    if (this.#bytes + bytes > MAX_DRAFT_BYTES) {
      throw new AcpError("state", "A restore says at most 64 MiB. Send the rest after `restoreSession` returned.");
    }
    this.#bytes += bytes;
    this.events.push(event);
    return undefined;
  }

  async commit(): Promise<void> {}

  async [Symbol.asyncDispose](): Promise<void> {}
}
