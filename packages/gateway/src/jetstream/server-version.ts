/** Oldest version whose clusters keep every acknowledged message when a server is killed. */
const SOUND = "2.10.23";

/**
 * Refuses several replicas on servers that lose messages. A server of an unknown version is accepted. When a server of a cluster starts again, releases before 2.9.18
 * empty a stream of which a part was purged. Releases before 2.10.23 may forget a stream.
 *
 * @param version version of the server, such as `2.10.27`
 * @throws Error for several replicas on such a server
 */
// NATS-12
export function checkServerVersion(version: string | undefined, replicas: number): void {
  if (replicas === 1 || version === undefined || !isOlder(version)) return;
  const why = "loses stored messages when a server of a cluster is killed";
  throw new Error(`nats-server ${version} ${why}. For ${replicas} replicas, use nats-server ${SOUND} or newer`);
}

const isOlder = (version: string): boolean => version.localeCompare(SOUND, "en", { numeric: true }) < 0;
