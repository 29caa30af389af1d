import type { SessionLog, SessionLogWriter } from "@turnkit/agent";
import type { SessionInfo } from "@turnkit/session";

/**
 * Log that several gateways share. Each open session has one owner, the gateway that has its agent. An owner that no longer
 * renews its ownership loses it, and another gateway can open the session.
 *
 * - `createMemoryEngine` makes an engine for the gateways of one process.
 * - A `SessionLog` of files is no engine: its sessions belong to a process until it ends, and nobody can ask this process.
 */
export interface Engine extends SessionLog {
  /** Time after which an owner that has not renewed its ownership loses it, in milliseconds. */
  readonly ttlMs: number;
  /**
   * Opens a session as its owner.
   *
   * @throws SessionLogError `locked` if another owner has renewed its ownership in time, and those of `SessionLog`
   */
  open(sessionId: string, info?: SessionInfo): Promise<Ownership>;
  /**
   * Sends a command to the owner of a session, as JSON. Settles with the answer of the owner.
   *
   * @throws SessionLogError `not_found` if the session has no owner
   * @throws SessionLogError `failed` if the owner answers with an error, or not within `ttlMs`
   */
  command(sessionId: string, command: object): Promise<object>;
}

/** Writer of a session in an {@link Engine}. Nothing is stored after the ownership is lost. Disposing ends the ownership. */
export interface Ownership extends SessionLogWriter {
  /**
   * Settles when the ownership is lost: the time without a renewal has passed, or another owner has the session. Never
   * rejects, and never settles after disposing.
   */
  readonly lost: Promise<void>;
  /**
   * Renews the ownership for another `ttlMs`. Call it at least three times in this time.
   *
   * @throws SessionLogError `failed` if the ownership is lost
   */
  renew(): Promise<void>;
  /** Sets the handler of commands. A command that comes before is refused. */
  onCommand(handler: (command: object) => Promise<object>): void;
}

/** Returns true for a log that is an engine. */
export const isEngine = (log: SessionLog): log is Engine => "ttlMs" in log && "command" in log;

/** Renews an ownership until it is lost. Returns the function that stops it. */
// NATS-05
export function renewing(ownership: Ownership, ttlMs: number): () => void {
  // A renewal that fails is tried again. The engine says when the ownership is lost.
  const timer = setInterval(() => void ownership.renew().catch(() => undefined), ttlMs / 3);
  const stop = (): void => clearInterval(timer);
  void ownership.lost.then(stop);
  return stop;
}
