/** Oldest version whose clusters keep every acknowledged message when a server is killed. */
const SOUND = "2.11.0";

/**
 * Refuses several replicas on servers that lose messages. A server of an unknown version is accepted.
 *
 * - Releases before 2.9.18 may empty a stream if some of its messages were purged and a server of the cluster starts again.
 * - Releases before 2.10.23 may forget a whole stream when a server of the cluster starts again.
 * - Releases before 2.11 may have different replicas of a stream after a write that names a wrong last message. Takeovers
 *   make such writes.
 *
 * @param version version of the server, such as `2.11.4`
 * @throws Error for several replicas on such a server
 *
 * @example
 * checkServerVersion(connection.info?.version, 3);
 */
// NATS-12
export function checkServerVersion(version: string | undefined, replicas: number): void {
  if (replicas === 1 || version === undefined || !isOlder(version)) return;
  const why = "loses stored messages when a server of a cluster is killed";
  throw new Error(`nats-server ${version} ${why}. For ${replicas} replicas, use nats-server ${SOUND} or newer`);
}

const isOlder = (version: string): boolean => version.localeCompare(SOUND, "en", { numeric: true }) < 0;
