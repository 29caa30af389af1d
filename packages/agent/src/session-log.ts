import type { SessionEvent, SessionInfo } from "@turnkit/session";
import { AcpError, isAcpError, type Room } from "@turnkit/transport";
import type { ListSessions, SessionPage } from "./agent-handlers.js";
import type { SessionKeeper } from "./persistence.js";

/**
 * Where an agent keeps its sessions: passed to `createAgent` it gives list, load, resume, replay and delete.
 *
 * `createMemoryLog` is one, `createFileLog` of `@turnkit/agent/node` another. Failures are {@link SessionLogError}s. Any
 * string may come as a session's id, since clients name the sessions that they load.
 */
export interface SessionLog {
  /** Always {@link keepSessions}: the part of the runtime that restores sessions comes with the log that it needs. */
  readonly keep: SessionKeeper;
  /**
   * Opens a session for writing; one writer at a time, whoever else shares the storage. With `info` a new one, which is
   * stored for good when this settles; without, one that is there, less what was being written when its last writer died.
   *
   * @throws SessionLogError `not_found`, `exists`, `locked`
   */
  open(sessionId: string, info?: SessionInfo): Promise<SessionLogWriter>;
  /**
   * The events in the order in which they were appended, as far as they are written by now; also of a session that is
   * open. A log may tell fewer events than were appended, if both lead to the same state: {@link compactEvents} of both
   * is the same then.
   *
   * @throws SessionLogError `not_found`
   */
  read(sessionId: string): AsyncIterable<SessionEvent>;
  /**
   * A page of the sessions, those that are open included; `cwd` means those of exactly that folder.
   *
   * @throws SessionLogError `cursor` for a cursor that it never gave
   */
  list(query: ListSessions): Promise<SessionPage>;
  /**
   * Forgets a session; one that is not there is forgotten already.
   *
   * @throws SessionLogError `locked`
   */
  delete(sessionId: string): Promise<void>;
}

/** A session that is open for writing. Disposing writes what waits and lets others open it. */
export interface SessionLogWriter extends AsyncDisposable {
  /** The most that one event may take as JSON in UTF-8, in bytes, where there is a bound. */
  readonly maxEventBytes?: number;
  /**
   * Takes an event; the promise, if there is one, asks to wait before more. What fails later fails the next commit.
   *
   * @throws SessionLogError `too_large`, `closed`
   */
  append(event: SessionEvent): Room;
  /**
   * Settles when everything that was appended before would survive the death of the process and of the machine.
   *
   * @throws SessionLogError `failed`, from then on at every commit; `closed`
   */
  commit(): Promise<void>;
  /** Sets the listener for problems by which no call fails, such as a compaction that was given up. */
  onProblem?(listener: (message: string, error: unknown) => void): void;
}

/** What a session log may refuse, or fail at; see {@link SessionLogError}. */
export type SessionLogProblem =
  /** There is no such session. */
  | "not_found"
  /** A new session was to have the id of one that is there. */
  | "exists"
  /** Somebody else has it open for writing. */
  | "locked"
  /** One event is larger than a record may be. */
  | "too_large"
  /** There is no such cursor. */
  | "cursor"
  /** The writer was disposed of. */
  | "closed"
  /** The storage failed; `cause` is what it said. */
  | "failed";

/** A failure of a {@link SessionLog}; its `code` is `session_log`. */
export class SessionLogError extends AcpError {
  readonly problem: SessionLogProblem;

  constructor(problem: SessionLogProblem, message: string, options?: ErrorOptions) {
    super("session_log", message, options);
    this.problem = problem;
  }
}

/** Whether `error` is a {@link SessionLogError}, of that problem if one is given; also across copies of this package. */
export function isSessionLogError(error: unknown, problem?: SessionLogProblem): error is SessionLogError {
  return isAcpError(error, "session_log") && (problem === undefined || (error as SessionLogError).problem === problem);
}

/** What a list of sessions says of one after another event of its log. */
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
