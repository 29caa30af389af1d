import type { LiveSession } from "./live-session.js";

/** Ends a child session because there are too many. Returns false for `undefined`. */
export function endSurplus(child: LiveSession | undefined): boolean {
  child?.end("too many child sessions are open");
  return child !== undefined;
}

/**
 * Returns the oldest child session below a session that neither works nor asks, and that has no child sessions.
 *
 * @param newParent session that gets a child session next
 */
export function idleBelow(session: LiveSession, newParent?: LiveSession): LiveSession | undefined {
  for (const child of session.tree.members) {
    if (child.tree.size > 0) {
      const idle = idleBelow(child, newParent);
      if (idle !== undefined) return idle;
    } else if (child !== newParent && !child.isAtWork) {
      const { pendingPermissions, pendingElicitations, activity } = child.state;
      const asks = pendingPermissions.length + pendingElicitations.length > 0;
      if (!asks && !activity.background?.length) return child;
    }
  }
  return undefined;
}
