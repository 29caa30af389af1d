import type { SessionInfo } from "@turnkit/client";

const NAME = "seen sessions";

/** Time of the last change that the person has seen, for each session. Used if the browser stores nothing for this page. */
let held: Readonly<Record<string, string>> = {};

function readSeen(): Readonly<Record<string, string>> {
  try {
    return JSON.parse(localStorage.getItem(NAME) ?? "null") ?? held;
  } catch {
    return held;
  }
}

/**
 * Returns the ids of sessions that have changed since the person saw them in this browser. Stores that the person sees the
 * sessions with the ids in `shown` as they are listed now. Forgets sessions that are no longer listed.
 */
export function updateNews(sessions: readonly SessionInfo[], shown: ReadonlySet<string>): ReadonlySet<string> {
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
