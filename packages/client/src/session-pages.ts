import type { SessionInfo, SessionPage } from "@turnkit/session";
import { InvalidMessageError } from "@turnkit/transport";

/** Maximum number of successive pages without a session. */
const MAX_EMPTY_PAGES = 1_000;

/** Maximum number and length of remembered cursors. */
const MAX_SEEN = 1_000;
const MAX_LENGTH = 256;

/**
 * Yields the sessions of every page. A cycle of up to 1 000 cursors is found at the first repeated one. In cycles that
 * are longer, or of cursors over 256 characters, a single cursor is remembered: the newest whose number is a power of
 * two. They are found after three rounds.
 *
 * @throws InvalidMessageError for a cursor that comes back, and after {@link MAX_EMPTY_PAGES} pages without a session
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
    // An empty text is a cursor like any other (V2-SES-20).
    if (next == null) return;
    if (seen.has(next) || next === remembered) throw broken(next, "another cursor than those of earlier pages");
    empty = sessions.length === 0 ? empty + 1 : 0;
    if (empty >= MAX_EMPTY_PAGES) throw broken(next, `a session within ${MAX_EMPTY_PAGES} pages`);
    if (Number.isInteger(Math.log2(page))) remembered = next;
    if (seen.size >= MAX_SEEN) seen.clear();
    if (next.length <= MAX_LENGTH) seen.add(next);
    cursor = { cursor: next };
  }
}

/** Makes the error for an invalid cursor. Long cursors are cut. */
function broken(cursor: string, expected: string): InvalidMessageError {
  const shown = JSON.stringify(cursor.length > 100 ? `${cursor.slice(0, 100)}…` : cursor);
  const message = `expected ${expected}; the agent sent ${shown}`;
  return new InvalidMessageError("session/list", "result", [{ path: ["nextCursor"], message }]);
}
