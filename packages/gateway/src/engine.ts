import type { SessionLog, SessionLogWriter } from "@turnkit/agent";
import type { SessionInfo } from "@turnkit/session";
import type { Channel } from "@turnkit/transport";

/**
 * Log that several gateways share. Each open session has one owner, the gateway that has its agent. An owner that no longer
 * renews its ownership loses it, and another gateway can open the session.
 *
 * - `createMemoryEngine` makes an engine for the gateways of one process.
 * - A `SessionLog` of files is not an engine: its sessions belong to a process until it ends, and nobody can connect to it.
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
   * Opens a channel to the owner of a session. The channel carries JSON-RPC messages of up to 32 MiB in both directions, in
   * order, as JSON.
   *
   * The channel closes when either side closes it. It also closes when the ownership ends or is lost, and then another gateway
   * can open the session. Messages that were sent before a close still arrive. If the process of one side dies, the channel
   * of the other side closes within `ttlMs`.
   *
   * @throws SessionLogError `not_found` if the session has no owner
   * @throws SessionLogError `failed` if the owner refuses the channel, or does not take it within `ttlMs`
   */
  connect(sessionId: string): Promise<Channel>;
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
  /**
   * Sets the handler of channels that other gateways open to this owner. A channel is refused before this call, and if
   * the handler throws. The handler calls `start` of the channel immediately.
   */
  onConnect(handler: (channel: Channel) => void): void;
}

/** Returns true for a log that is an engine. */
export const isEngine = (log: SessionLog): log is Engine => "ttlMs" in log && "connect" in log;

/** Renews an ownership until it is lost. Returns the function that stops it. */
// NATS-05
export function renewing(ownership: Ownership, ttlMs: number): () => void {
  // A renewal that fails is tried again, until the engine reports the loss.
  const timer = setInterval(() => void ownership.renew().catch(() => undefined), ttlMs / 3);
  const stop = (): void => clearInterval(timer);
  void ownership.lost.then(stop);
  return stop;
}
