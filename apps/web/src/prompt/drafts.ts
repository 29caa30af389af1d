/** Texts that were typed and not sent, by session. Used if the browser stores nothing for this page. */
const held = new Map<string, string>();

const nameOf = (sessionId: string) => `draft ${sessionId}`;

/** Returns the draft of a session, also after a reload of the page, or an empty text. */
export function readDraft(sessionId: string): string {
  try {
    return sessionStorage.getItem(nameOf(sessionId)) ?? held.get(sessionId) ?? "";
  } catch {
    return held.get(sessionId) ?? "";
  }
}

/** Keeps the draft of a session for this tab. An empty text removes it. */
export function keepDraft(sessionId: string, text: string): void {
  if (text === "") held.delete(sessionId);
  else held.set(sessionId, text);
  try {
    if (text === "") sessionStorage.removeItem(nameOf(sessionId));
    else sessionStorage.setItem(nameOf(sessionId), text);
  } catch {
    // A browser without storage, or a full one.
  }
}
