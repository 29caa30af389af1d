import { headerName } from "../../wire/headers.js";
import { MAX_ID_LENGTH } from "../../wire/limits.js";
import type { CallFailure } from "./open-calls.js";

/** Returns the headers of a request about a session. */
export const sessionHeader = (sessionId: string | undefined): Readonly<Record<string, string | undefined>> => ({
  [headerName.sessionId]: sessionId,
});

/** Returns `true` for a text that a header can contain unchanged. */
export function isCarriable(text: string): boolean {
  return /^[\t\x20-\x7e\x80-\xff]*$/.test(text) && text.trim() === text;
}

/**
 * Returns the error for all calls of a session whose id a header cannot contain. Returns `undefined` for other
 * sessions.
 */
export function idFailure(sessionId: string): CallFailure | undefined {
  if (sessionId.length <= MAX_ID_LENGTH && isCarriable(sessionId)) return undefined;
  const rule = `at most ${MAX_ID_LENGTH} characters of Latin-1, without control characters and outer blanks`;
  return {
    message: `the id of the session cannot be sent in a header, which takes ${rule}. Use a wss: address, or another id.`,
  };
}
