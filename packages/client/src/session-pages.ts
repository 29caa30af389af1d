import type { SessionInfo, SessionPage } from "@turnkit/session";
import { InvalidMessageError } from "@turnkit/transport";

/** Maximum number of successive pages without a session. */
const MAX_EMPTY_PAGES = 1_000;

/** Maximum number of remembered cursors, and maximum length of a remembered cursor in characters. */
const MAX_SEEN = 1_000;
const MAX_LENGTH = 256;

/**
 * Yields the sessions of every page. An agent may send cursors in a cycle, which would never end:
 *
 * - A cycle of up to 1 000 cursors is found at the first repeated cursor.
 * - A longer cycle is found after at most three rounds. A cycle with cursors of more than 256 characters is found in the
 *   same way.
 *
 * @throws InvalidMessageError for a repeated cursor, and after {@link MAX_EMPTY_PAGES} pages without a session
 */
export async function* sessionPages(
  ask: (cursor: { readonly cursor?: string }) => Promise<SessionPage>,
): AsyncGenerator<SessionInfo, void> {
  const seen = new Set<string>();
  let cursor: { readonly cursor?: string } = {};
  let remembered: string | undefined;
  let empty = 0;
  for (let page = 1; ; page += 1) {
    const { sessions, nextCursor: next } = await ask(cursor);
    yield* sessions;
    // An empty text is a valid cursor (V2-SES-20).
    if (next == null) return;
    if (seen.has(next) || next === remembered) throw broken(next, "another cursor than those of earlier pages");
    empty = sessions.length === 0 ? empty + 1 : 0;
    if (empty >= MAX_EMPTY_PAGES) throw broken(next, `a session within ${MAX_EMPTY_PAGES} pages`);
    // One cursor, replaced at each power of two, also finds cycles that `seen` cannot hold.
    if (Number.isInteger(Math.log2(page))) remembered = next;
    if (seen.size >= MAX_SEEN) seen.clear();
    if (next.length <= MAX_LENGTH) seen.add(next);
    cursor = { cursor: next };
  }
}

/**
 * Returns the same object, whose `length` and first item throw a TypeError. In JavaScript, a caller may await a generator
 * like a list and read both, which would be `undefined`.
 */
export function withoutLength<T extends object>(sessions: T): T {
  const get = (): never => {
    throw new TypeError("listSessions returns no list: read it with for await (const { sessionId } of sessions).");
  };
  return Object.defineProperties(sessions, { length: { get }, 0: { get } });
}

/** Makes the error for an invalid cursor. The message contains the beginning of a long cursor. */
function broken(cursor: string, expected: string): InvalidMessageError {
  const shown = JSON.stringify(cursor.length > 100 ? `${cursor.slice(0, 100)}…` : cursor);
  const message = `expected ${expected}; the agent sent ${shown}`;
  return new InvalidMessageError("session/list", "result", [{ path: ["nextCursor"], message }]);
}
