import { Quota } from "./quota.js";

/** Bounds of the sessions of one connection. */
export type SessionLimits = {
  /**
   * Maximum number of sessions that are opening, open or ending. A further session is refused with `-32603`.
   *
   * @defaultValue 10_000
   */
  readonly openSessions: number;
  /**
   * Maximum size on the wire of the requests that opened these sessions, in bytes. A session keeps its folders and its MCP
   * servers. A request that would exceed the maximum is refused with `-32603`.
   *
   * @defaultValue 64 MiB
   */
  readonly openSessionBytes: number;
};

/** Returns the room for the sessions of one connection. */
export function createSessionQuota({
  openSessions = 10_000,
  openSessionBytes = 64 * 1024 * 1024,
}: Partial<SessionLimits>): Quota {
  const refusal = "too many sessions are open on this connection; close some with session/close";
  return new Quota({ count: openSessions, bytes: openSessionBytes }, refusal);
}
