import type { ListSessions, SessionEvent, SessionInfo, SessionPage, StateLimits } from "@turnkit/session";
import { AcpError, isAcpError, type Room } from "@turnkit/transport";

/**
 * Part of the runtime that restores the sessions of a log. `keepSessions` is the only one: every log names it, so that the
 * bundle of an agent without a log does not hold it.
 */
export type SessionKeeper = (log: SessionLog, handlers: object, limits: Partial<StateLimits>) => object;

/**
 * Storage of an agent's sessions. As the `log` of `createAgent` it gives list, load, resume, replay and delete.
 *
 * `createMemoryLog` makes one in memory, `createFileLog` of `@turnkit/agent/node` one in a folder. Failures are
 * {@link SessionLogError}s. A session's id may be any string: clients name the sessions that they load.
 */
export interface SessionLog {
  /** Always `keepSessions`. */
  readonly keep: SessionKeeper;
  /**
   * Opens a session for writing. A session has one writer at a time, in all processes that share the storage.
   *
   * - With `info`: a new session. It is durable when the promise settles.
   * - Without: a stored session, without events that were being written when its last writer died.
   *
   * @throws SessionLogError `not_found`, `exists`, `locked`
   */
  open(sessionId: string, info?: SessionInfo): Promise<SessionLogWriter>;
  /**
   * Returns the events that are written by now, in the order of `append`. The session may be open. A log may return fewer
   * events than were appended, if both lead to the same state: {@link compactEvents} returns the same for both.
   *
   * @throws SessionLogError `not_found`
   */
  read(sessionId: string): AsyncIterable<SessionEvent>;
  /**
   * Returns a page of the sessions, open ones included. `cwd` selects sessions of exactly that folder.
   *
   * @throws SessionLogError `cursor` for a cursor that it never gave
   */
  list(query: ListSessions): Promise<SessionPage>;
  /**
   * Deletes a session. Succeeds if there is none.
   *
   * @throws SessionLogError `locked`
   */
  delete(sessionId: string): Promise<void>;
}

/** Session that is open for writing. Disposing writes waiting events and lets others open the session. */
export interface SessionLogWriter extends AsyncDisposable {
  /** Largest event as JSON in UTF-8, in bytes, if there is a bound. */
  readonly maxEventBytes?: number;
  /**
   * Takes an event. A returned promise asks to wait before the next one. A later failure fails the next commit.
   *
   * @throws SessionLogError `too_large`, `closed`
   */
  append(event: SessionEvent): Room;
  /**
   * Settles when all earlier events would survive a crash of the process or the machine.
   *
   * @throws SessionLogError `failed`, from then on at every commit; `closed`
   */
  commit(): Promise<void>;
  /** Sets the listener for problems that fail no call, such as a compaction that was given up. */
  onProblem?(listener: (message: string, error: unknown) => void): void;
}

/** Problem of a {@link SessionLogError}. */
export type SessionLogProblem =
  /** No such session. */
  | "not_found"
  /** A new session has the id of a stored one. */
  | "exists"
  /** Another writer has the session open. */
  | "locked"
  /** One event is larger than a record may be. */
  | "too_large"
  /** No such cursor. */
  | "cursor"
  /** The writer was disposed of. */
  | "closed"
  /** The storage failed; `cause` is its error. */
  | "failed";

/** Failure of a {@link SessionLog}; its `code` is `session_log`. */
export class SessionLogError extends AcpError {
  readonly problem: SessionLogProblem;

  constructor(problem: SessionLogProblem, message: string, options?: ErrorOptions) {
    super("session_log", message, options);
    this.problem = problem;
  }
}

/** Returns true for a {@link SessionLogError}, of `problem` if given. Works across copies of this package. */
export function isSessionLogError(error: unknown, problem?: SessionLogProblem): error is SessionLogError {
  return isAcpError(error, "session_log") && (problem === undefined || (error as SessionLogError).problem === problem);
}

/** Returns true for the error of an event that is too large to send, or for its log. */
export const isTooLarge = (error: unknown): boolean =>
  isAcpError(error, "too_large") || isSessionLogError(error, "too_large");

/** Returns a session's row in a list of sessions after another event of its log. */
export function sessionInfoAfter(info: SessionInfo, event: SessionEvent): SessionInfo {
  if (event.type === "session_opened") {
    const { cwd = info.cwd, additionalDirectories = info.additionalDirectories } = event;
    const { additionalDirectories: _, ...rest } = info;
    return { ...rest, cwd, ...(additionalDirectories?.length && { additionalDirectories }) };
  }
  if (event.type !== "session_info_update") return info;
  const { title = info.title, updatedAt = info.updatedAt } = event;
  const { title: _title, updatedAt: _updatedAt, ...rest } = info;
  return { ...rest, ...(title != null && { title }), ...(updatedAt != null && { updatedAt }) };
}
