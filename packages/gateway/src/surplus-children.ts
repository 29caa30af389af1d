/** Maximum number of child sessions of one session in a gateway. The gateway's client has the same bound. */
const MAX_CHILDREN = 1_024;

/**
 * Makes room for another child session in a map of a session and its child sessions: removes the oldest idle child
 * session, or else the oldest child session. The root session stays.
 */
export function forgetSurplus<V>(
  known: Map<string, V>,
  rootId: string,
  isIdle: (one: V) => boolean = () => true,
): void {
  if (known.size <= MAX_CHILDREN) return;
  let oldest: string | undefined;
  for (const [id, one] of known) {
    if (id === rootId) continue;
    oldest ??= id;
    if (!isIdle(one)) continue;
    known.delete(id);
    return;
  }
  if (oldest !== undefined) known.delete(oldest);
}
