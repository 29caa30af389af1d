import { isSessionLogError, type SessionLogWriter } from "@turnkit/agent";
import type { PromptKey } from "@turnkit/agent/driver";
import type { SessionEvent, SessionInfo } from "@turnkit/session";
import { type Room, RpcError } from "@turnkit/transport";

/** Events that the next attachment does not need: activities that end with the process. */
const passing = (event: SessionEvent): boolean => event.type === "state_update" && event.state !== "idle";

/** Log of one open session. After a failure of the storage, it takes no further event. */
export class SessionRecord {
  readonly #id: string;
  readonly #writer: SessionLogWriter;
  readonly #onFault: (message: string, error: unknown) => void;
  #hasFailed = false;
  #isClosed = false;

  constructor(id: string, writer: SessionLogWriter, onFault: (message: string, error: unknown) => void) {
    this.#id = id;
    this.#writer = writer;
    this.#onFault = onFault;
    writer.onProblem?.(onFault);
  }

  /** Stores the folders of a new session. */
  async begin({ sessionId, cwd, additionalDirectories }: SessionInfo): Promise<void> {
    const folders = additionalDirectories && { additionalDirectories };
    await this.add(sessionId, { type: "session_opened", sessionId, cwd, ...folders });
    await this.commit();
  }

  /** @throws RpcError `-32603` after a failure, because what follows could not be stored */
  mustWork(): void {
    if (this.#hasFailed) throw RpcError.internalError("the session cannot be stored any more");
  }

  /** Stores an event of the session, or of a child session. Never throws. */
  add(sessionId: string, event: SessionEvent, promptKey?: PromptKey): Room {
    if (this.#hasFailed || this.#isClosed || passing(event)) return undefined;
    const stored = promptKey === undefined ? event : { ...event, promptKey };
    try {
      return this.#writer.append(
        sessionId === this.#id ? stored : { type: "child_session_event", sessionId, event: stored },
      );
    } catch (error) {
      return this.#failed(error);
    }
  }

  /** Settles when all earlier events would survive a crash. Returns false if they would not. Never rejects. */
  async commit(): Promise<boolean> {
    if (this.#hasFailed || this.#isClosed) return false;
    try {
      await this.#writer.commit();
      return true;
    } catch (error) {
      this.#failed(error);
      return false;
    }
  }

  /** Stores what waits. Later events are dropped. */
  async close(): Promise<void> {
    this.#isClosed = true;
    try {
      await this.#writer[Symbol.asyncDispose]();
    } catch (error) {
      this.#failed(error);
    }
  }

  #failed(error: unknown): undefined {
    if (isSessionLogError(error, "closed") && this.#isClosed) return undefined;
    if (!this.#hasFailed) this.#onFault("A session could not be stored. It takes no more prompts.", error);
    this.#hasFailed = true;
    return undefined;
  }
}
