import type { ConfigOption, SessionEvent, SessionWorkspace } from "@turnkit/session";
import { jsonBytes } from "@turnkit/session/codec";
import { AcpError, type Room, RpcError, withinGrace } from "@turnkit/transport";
import { optionsWith } from "./config-value.js";
import { SessionLogError, type SessionLogWriter } from "./session-log.js";
import { describeEnd, type TurnEnd } from "./turn-end.js";

/**
 * Longest time to wait for a commit or for the close of a log, in ms. The client must get an answer even if the storage
 * hangs.
 */
export const MAX_COMMIT_MS = 30_000;

/** Types of events that `note` ignores. A restore does not need these events, or the runtime writes them with `append`. */
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

/** Choice of the user that a restore could not apply to the new session. */
export type UnmadeChoice = { readonly value: string | boolean; readonly instead?: string | boolean | undefined };

/** Returns true if a client restores a session only to read it. */
export const isOnlyRead = ({ _meta }: Pick<SessionWorkspace, "_meta">): boolean => _meta?.["turnkit.readOnly"] === true;

/** Log of one open session. Its events are the same in every dialect. */
export class Journal {
  readonly #writer: SessionLogWriter;
  readonly #onFault: (message: string, error: unknown) => void;
  /** True if the client only reads the session. Nothing is stored, and no turn begins. */
  readonly #isReadOnly: boolean;
  #closed: Promise<void> | undefined;
  /** `retry` after the end of a turn that was not stored yet; `lost` after events that the client never got. */
  #failed: "retry" | "lost" | undefined;
  /** Events that wait while the log is read. `undefined` while no read is under way. */
  #waiting: SessionEvent[] | undefined;
  #waitingBytes = 0;
  /**
   * Choices that could not be applied, by option id. The log stores such a choice and not the session's value, so the
   * next restore tries it again. If the choice has `instead`, the log does so only while the session has the value
   * `instead`.
   */
  #unmade = new Map<string, UnmadeChoice>();

  constructor(writer: SessionLogWriter, onFault: (message: string, error: unknown) => void, isReadOnly = false) {
    this.#writer = writer;
    this.#onFault = onFault;
    this.#isReadOnly = isReadOnly;
    writer.onProblem?.(onFault);
  }

  /** Maximum size of one event as JSON, in bytes. */
  get maxEventBytes(): number {
    return this.#writer.maxEventBytes ?? Number.POSITIVE_INFINITY;
  }

  /**
   * Tries a failed commit again. Returns `undefined` if no commit has failed.
   *
   * @throws RpcError `-32603` if it fails again, because a further turn could not be stored
   * @throws RpcError `-32600` if the client only reads the session
   */
  mustWork(): Promise<void> | undefined {
    if (this.#isReadOnly) throw RpcError.invalidRequest("the session was opened to be only read");
    return this.#failed && this.#retry();
  }

  async #retry(): Promise<void> {
    if (await this.flush()) return;
    throw RpcError.internalError(
      "the session cannot be stored; try again when its storage works, or restore the session",
    );
  }

  /** Writes an event if a restore needs that event. */
  note(event: SessionEvent): Room {
    return passing.has(event.type) ? undefined : this.append(event);
  }

  /** Writes an event of a child session if a restore needs that event. */
  noteChild(sessionId: string, event: SessionEvent): Room {
    return passing.has(event.type) ? undefined : this.append({ type: "child_session_event", sessionId, event });
  }

  /**
   * Writes an event. Does nothing after {@link close}, and if the client only reads the session.
   *
   * @throws AcpError `state` if more than 64 MiB of events wait while the log is read
   */
  append(event: SessionEvent): Room {
    if (this.#closed !== undefined || this.#isReadOnly) return undefined;
    const stored = this.#unmade.size === 0 ? event : this.#withChoices(event);
    if (this.#waiting === undefined) return this.#writer.append(stored);
    this.#waitingBytes = mustWait(this.#waitingBytes + jsonBytes(stored));
    this.#waiting.push(stored);
    return undefined;
  }

  /** Stops writing until {@link resume}. Until then, the log holds exactly the events that were written before. */
  pause(): void {
    this.#waiting ??= [];
  }

  /** Writes the events that arrived since {@link pause}. Never throws. */
  resume(): void {
    const events = this.#waiting ?? [];
    this.#waiting = undefined;
    this.#waitingBytes = 0;
    for (const event of events) {
      try {
        this.#writer.append(event);
      } catch (error) {
        this.#onFault("An event that was sent during a restore could not be stored.", error);
      }
    }
  }

  /** Sets the choices that the log stores in place of the session's values. */
  keepChoices(unmade: ReadonlyMap<string, UnmadeChoice>): void {
    this.#unmade = new Map(unmade);
  }

  /** Removes the stored choice of an option after a new choice of the user. Returns true if there was a stored choice. */
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

  /** Stores the end of a turn. Returns the end, or an error if the end cannot be stored. Never rejects. */
  async endTurn(promptId: string, end: TurnEnd): Promise<TurnEnd> {
    try {
      this.append({ type: "turn_ended", promptId, ...describeEnd(end) });
      await this.#commit();
      return end;
    } catch (error) {
      this.#failed ??= "retry";
      this.#onFault("The end of a turn could not be stored.", error);
      return { error: RpcError.internalError("the end of the turn could not be stored") };
    }
  }

  /**
   * Commits. Returns false if this commit failed, or an earlier commit whose events are lost, and if the journal is closed
   * or stores nothing. Never rejects.
   */
  async flush(): Promise<boolean> {
    if (this.#failed === "lost" || this.#closed !== undefined || this.#isReadOnly) return false;
    try {
      await this.#commit();
      this.#failed = undefined;
      return true;
    } catch (error) {
      this.#failed ??= "lost";
      // If the journal was closed during the commit, its connection has ended, and the failure is not reported.
      if (this.#closed === undefined) this.#onFault("The log of a session could not be written.", error);
      return false;
    }
  }

  /** Writes waiting events and lets other writers open the session. Takes at most {@link MAX_COMMIT_MS}. Never rejects. */
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

/** Size in bytes that a stored event of a child session has in addition to the event itself. */
export const AROUND_CHILD_BYTES = 512;

/** Handover of an open session to the restored session of the same id, which gets each event too. */
export type HandedOver = {
  /** Journal of the restored session. */
  readonly journal: Journal | undefined;
  mustTake(event: SessionEvent): void;
  follow(event: SessionEvent, isStored: boolean): void;
};

/** Maximum size of the events of a session during its restore, in bytes of JSON. */
const MAX_RESTORE_BYTES = 64 * 1024 * 1024;

/**
 * Checks the size of the events that wait for a restore, and returns this size.
 *
 * @throws AcpError `state` above 64 MiB
 */
export function mustWait(bytes: number): number {
  if (bytes <= MAX_RESTORE_BYTES) return bytes;
  throw new AcpError(
    "state",
    "A session may send at most 64 MiB during its restore. Send the other updates after the restore.",
  );
}

/** Writer that holds the events of a restore until the restore succeeds, up to 64 MiB. */
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
      const message = `An event ${event.type} has ${bytes} bytes. The log stores at most ${this.maxEventBytes}.`;
      throw new SessionLogError("too_large", message);
    }
    this.#bytes = mustWait(this.#bytes + bytes);
    this.events.push(event);
    return undefined;
  }

  async commit(): Promise<void> {}

  async [Symbol.asyncDispose](): Promise<void> {}
}
