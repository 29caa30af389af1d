import { isSessionLogError, type SessionLogWriter } from "@turnkit/agent";
import { Deferred, type PromptKey } from "@turnkit/agent/driver";
import type { SessionEvent, SessionInfo } from "@turnkit/session";
import { type Channel, type Room, RpcError } from "@turnkit/transport";
import { type Ownership, renewing } from "./engine.js";
import type { Figures } from "./figures.js";

/** Events that the next attachment does not need: activities that end with the process. */
const passing = (event: SessionEvent): boolean => event.type === "state_update" && event.state !== "idle";

/**
 * Longest time for one commit, or for the end of the writer, in milliseconds. After this time, the storage counts as
 * failed.
 */
const STORE_MS = 30_000;

/** Parts of the record of a session. */
export type SessionRecordParts = {
  readonly id: string;
  readonly onFault: (message: string, error: unknown) => void;
  readonly ttlMs: number | undefined;
  readonly figures: Figures;
};

/**
 * Log of one open session. After a failure of the storage, it takes no further event. While another gateway owns the session,
 * that gateway stores the events, and this record drops them.
 */
export class SessionRecord {
  readonly #id: string;
  #writer: SessionLogWriter | undefined;
  readonly #onFault: (message: string, error: unknown) => void;
  readonly #ttlMs: number | undefined;
  readonly #figures: Figures;
  #isCounted = false;
  /** Functions that end the waits for the storage. */
  readonly #waits = new Set<() => void>();
  #failure: (() => void) | undefined;
  readonly #lost = new Deferred<void>();
  #connected: (channel: Channel) => void = () => undefined;
  #stopRenewing: (() => void) | undefined;
  #hasFailed = false;
  #isAbandoned = false;
  #isClosed = false;

  /** @param ttlMs time in which the writer must be renewed, if its log is an engine */
  constructor({ id, onFault, ttlMs, figures }: SessionRecordParts) {
    this.#id = id;
    this.#figures = figures;
    this.#onFault = onFault;
    this.#ttlMs = ttlMs;
  }

  /** Stores later events with this writer, because this gateway owns the session now. */
  own(writer: SessionLogWriter): void {
    this.#writer = writer;
    this.#countOwned(true);
    writer.onProblem?.(this.#onFault);
    if (this.#ttlMs !== undefined) this.#keep(writer as Ownership, this.#ttlMs);
  }

  /** Sets the listener for the loss of the session to another gateway, which may have happened already. */
  onLost(listener: () => void): void {
    void this.#lost.promise.then(listener);
  }

  /** Sets the handler of channels of other gateways to this owner. Call it before {@link own}. */
  onConnect(handler: (channel: Channel) => void): void {
    this.#connected = handler;
  }

  /** Sets the listener for the failure of the storage. It is called once. */
  onFailure(listener: () => void): void {
    this.#failure = listener;
  }

  /**
   * Stores the folders of a new session.
   *
   * @throws RpcError `-32603` if they could not be stored
   */
  async begin({ sessionId, cwd, additionalDirectories }: SessionInfo): Promise<void> {
    const folders = additionalDirectories && { additionalDirectories };
    await this.add(sessionId, { type: "session_opened", sessionId, cwd, ...folders });
    if (!(await this.commit())) throw notStored();
  }

  /**
   * False after a failure and after the end of the ownership. Later events are then not stored, and an earlier event
   * may be lost.
   */
  get works(): boolean {
    return !this.#hasFailed && !this.#isClosed;
  }

  /** @throws RpcError `-32603` after a failure, because later events could not be stored */
  mustWork(): void {
    if (this.#hasFailed || this.#lost.isSettled) throw notStored();
  }

  /**
   * Stores the activity `running` and the message of a prompt. The activity marks the turn as open, even in a compacted
   * log.
   */
  // NATS-09
  addPrompt(event: SessionEvent, promptKey?: PromptKey): void {
    void this.#append({ type: "state_update", state: "running" });
    void this.#append(promptKey === undefined ? event : { ...event, promptKey });
  }

  /** Stores an event of the session, or of a child session. Never throws. */
  add(sessionId: string, event: SessionEvent): Room {
    if (passing(event)) return undefined;
    return this.#append(sessionId === this.#id ? event : { type: "child_session_event", sessionId, event });
  }

  #append(event: SessionEvent): Room {
    if (this.#writer === undefined || this.#hasFailed || this.#isClosed) return undefined;
    this.#figures.add("events");
    try {
      return this.#writer.append(event);
    } catch (error) {
      return this.#failed(error);
    }
  }

  /**
   * Settles when all earlier events are stored and survive a crash. Resolves to false if an event could not be stored.
   * Never rejects.
   */
  async commit(): Promise<boolean> {
    if (!this.works) return false;
    if (this.#writer === undefined) return true;
    const since = performance.now();
    try {
      await this.#inTime(this.#writer.commit());
      this.#figures.took("commit_seconds", performance.now() - since);
      return true;
    } catch (error) {
      this.#failed(error);
      return false;
    }
  }

  /** Stores the waiting events and closes the log. Later events are dropped. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#stopRenewing?.();
    if (this.#writer === undefined) return;
    this.#countOwned(false);
    try {
      await this.#inTime(this.#writer[Symbol.asyncDispose]());
    } catch (error) {
      this.#failed(error);
    }
  }

  /** Stops waiting for the storage. Events that are not stored by then count as lost. */
  abandon(): void {
    this.#isAbandoned = true;
    for (const end of this.#waits) end();
  }

  #keep(ownership: Ownership, ttlMs: number): void {
    ownership.onConnect((channel) => this.#connected(channel));
    this.#stopRenewing = renewing(ownership, ttlMs);
    void ownership.lost.then(() => {
      this.#countOwned(false);
      this.#figures.add("lost_ownerships");
      // Nothing more can be stored. The storage has not failed, so there is no report.
      this.#isClosed = true;
      this.#lost.resolve();
    });
  }

  /** @throws Error if the storage takes too long */
  async #inTime(work: PromiseLike<void>): Promise<void> {
    let giveUp = (): void => undefined;
    const late = new Promise<never>((_, reject) => {
      giveUp = () => reject(new Error("The storage takes too long."));
    });
    if (this.#isAbandoned) giveUp();
    const timer = setTimeout(giveUp, STORE_MS);
    this.#waits.add(giveUp);
    try {
      await Promise.race([work, late]);
    } finally {
      clearTimeout(timer);
      this.#waits.delete(giveUp);
    }
  }

  #countOwned(isOwned: boolean): void {
    if (this.#isCounted === isOwned) return;
    this.#isCounted = isOwned;
    this.#figures.change("owned_sessions", isOwned ? 1 : -1);
  }

  #failed(error: unknown): undefined {
    if (this.#isClosed && (isSessionLogError(error, "closed") || this.#lost.isSettled)) return undefined;
    if (this.#hasFailed) return undefined;
    this.#hasFailed = true;
    this.#figures.add("storage_failures");
    this.#onFault("A session could not be stored. It takes no more prompts.", error);
    this.#failure?.();
    // Otherwise, an owner that cannot store events would block the session for all gateways.
    this.#stopRenewing?.();
    return undefined;
  }
}

const notStored = (): RpcError => RpcError.internalError("the session cannot be stored any more");
