import type { ListSessions, SessionEvent, SessionInfo, SessionPage, StateLimits } from "@turnkit/session";
import { AcpError, isAcpError, type Room } from "@turnkit/transport";

/**
 * Part of the runtime that restores the sessions of a log. `keepSessions` is the only implementation. Only logs refer
 * to it, so the bundle of an agent without a log does not contain this part.
 */
export type SessionKeeper = (log: SessionLog, handlers: object, limits: Partial<StateLimits>) => object;

/**
 * Storage of an agent's sessions. As the `log` of `createAgent`, it provides list, load, resume, replay and delete.
 *
 * - `createMemoryLog` makes a log in memory.
 * - `createFileLog` of `@turnkit/agent/node` makes a log in a folder.
 * - Failures are {@link SessionLogError}s.
 * - The id of a session may be any string, because clients choose the ids of the sessions that they load.
 */
export interface SessionLog {
  /** Constant `keepSessions`. */
  readonly keep: SessionKeeper;
  /**
   * Opens a session for writing. A session has one writer at a time, across all processes that share the storage.
   *
   * - With `info`, creates a new session. The session survives a crash once the promise has settled.
   * - Without `info`, opens a stored session. Events that were incomplete at the death of the last writer are left out.
   *
   * @throws SessionLogError `not_found`, `exists`, `locked`
   */
  open(sessionId: string, info?: SessionInfo): Promise<SessionLogWriter>;
  /**
   * Returns the events that are written so far, in the order of `append`. The session may be open. A log may return fewer
   * events than it got, if these events lead to the same state. In this case {@link compactEvents} returns the same events
   * for both lists.
   *
   * @throws SessionLogError `not_found`
   */
  read(sessionId: string): AsyncIterable<SessionEvent>;
  /**
   * Returns a page of the sessions, including open sessions. `cwd` selects the sessions of that folder. A slash at the
   * end of a path does not matter.
   *
   * @throws SessionLogError `cursor` for a cursor that this log did not return
   */
  list(query: ListSessions): Promise<SessionPage>;
  /**
   * Deletes a session. Succeeds if the session does not exist.
   *
   * @throws SessionLogError `locked`
   */
  delete(sessionId: string): Promise<void>;
}

/** Writer of one session. Disposing writes the waiting events, then lets others open the session. */
export interface SessionLogWriter extends AsyncDisposable {
  /** Maximum size of one event, in bytes of JSON in UTF-8. Absent without a bound. */
  readonly maxEventBytes?: number;
  /**
   * Takes an event. If a promise is returned, await it before the next event. If writing fails later, the next commit
   * fails.
   *
   * @throws SessionLogError `too_large`, `closed`
   */
  append(event: SessionEvent): Room;
  /**
   * Settles when all earlier events would survive a crash of the process or the machine.
   *
   * @throws SessionLogError `failed` if the storage failed; a later commit either stores all earlier events, or fails too
   * @throws SessionLogError `closed` after disposing
   */
  commit(): Promise<void>;
  /** Sets the listener for problems that do not make a call fail, such as a failed compaction. */
  onProblem?(listener: (message: string, error: unknown) => void): void;
}

/** Problem of a {@link SessionLogError}. */
export type SessionLogProblem =
  /** The session does not exist. */
  | "not_found"
  /** The new session has the id of a stored session. */
  | "exists"
  /** Another writer has opened the session. */
  | "locked"
  /** An event is larger than the log allows. */
  | "too_large"
  /** The cursor is not valid. */
  | "cursor"
  /** The writer is disposed. */
  | "closed"
  /** The storage failed. `cause` is the error of the storage. */
  | "failed";

/** Failure of a {@link SessionLog}. Its `code` is `session_log`. */
export class SessionLogError extends AcpError {
  readonly problem: SessionLogProblem;

  constructor(problem: SessionLogProblem, message: string, options?: ErrorOptions) {
    super("session_log", message, options);
    this.problem = problem;
  }
}

/**
 * Returns true for a {@link SessionLogError}. With `problem`, returns true only for that problem. Works across copies of
 * this package.
 */
export function isSessionLogError(error: unknown, problem?: SessionLogProblem): error is SessionLogError {
  return isAcpError(error, "session_log") && (problem === undefined || (error as SessionLogError).problem === problem);
}

/** Returns true for the error of an event that is too large, either for an update or for the log. */
export const isTooLarge = (error: unknown): boolean =>
  isAcpError(error, "too_large") || isSessionLogError(error, "too_large");

/** Returns a session's row in a list of sessions, updated by one more event of its log. */
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
