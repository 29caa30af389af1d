import type { SessionInfo } from "@turnkit/client";

const NAME = "seen sessions";

/** Times of the last change that the person has seen, by session. Used if the browser stores nothing for this page. */
let held: Readonly<Record<string, string>> = {};

function readSeen(): Readonly<Record<string, string>> {
  try {
    return JSON.parse(localStorage.getItem(NAME) ?? "null") ?? held;
  } catch {
    return held;
  }
}

/**
 * Stores that the person has seen the sessions with these ids as they are listed now. Sessions that are no longer listed are
 * forgotten. Returns the ids of sessions that have changed since the person saw them in this browser.
 */
export function lookAt(sessions: readonly SessionInfo[], shown: ReadonlySet<string>): ReadonlySet<string> {
  const before = readSeen();
  const news = new Set<string>();
  const seen: Record<string, string> = {};
  for (const { sessionId, updatedAt } of sessions) {
    const known = shown.has(sessionId) ? updatedAt : before[sessionId];
    if (known == null || updatedAt == null) continue;
    seen[sessionId] = known;
    if (Date.parse(updatedAt) > Date.parse(known)) news.add(sessionId);
  }
  held = seen;
  try {
    localStorage.setItem(NAME, JSON.stringify(seen));
  } catch {
    // A browser without storage, or a full one.
  }
  return news;
}
