/** Oldest version whose clusters keep every acknowledged message when a server is killed. */
const SOUND = "2.11.0";

/**
 * Refuses several replicas on servers that lose messages. A server of an unknown version is accepted.
 *
 * Before 2.9.18, a server of a cluster that starts again may empty a stream of which a part was purged. Before 2.10.23, it
 * may forget a stream. Before 2.11, the replicas of a stream may differ after a write that names a wrong last message, as
 * each takeover makes some.
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
