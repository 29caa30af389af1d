// The first load of the page needs this file, and not what sends the prompts.

/** Prompt that was sent, until its end is known. */
export type Sent = {
  /** Key with which the prompt runs once, however often it is sent. */
  readonly key: string;
  readonly text: string;
  /** Its content as JSON, or an empty text for a content with pictures. */
  readonly content: string;
  /** Key of the last entry before it that the agent has, if there is one. */
  readonly after?: string | undefined;
  /** Number of messages with the same text between this entry and the prompt. */
  readonly before: number;
};

/** Keys of prompts whose end this page waits for. After a reload there are none. */
export const awaited = new Set<string>();
/** Used if the browser stores nothing for this page. */
const held = new Map<string, readonly Sent[]>();

const nameOf = (sessionId: string) => `sent ${sessionId}`;

/** Reads the kept prompts of a session. */
export function readSent(sessionId: string): readonly Sent[] {
  try {
    return JSON.parse(sessionStorage.getItem(nameOf(sessionId)) ?? "null") ?? held.get(sessionId) ?? [];
  } catch {
    return held.get(sessionId) ?? [];
  }
}

/** Replaces the kept prompts of a session. */
export function keepSent(sessionId: string, sent: readonly Sent[]): void {
  if (sent.length === 0) held.delete(sessionId);
  else held.set(sessionId, sent);
  try {
    if (sent.length === 0) sessionStorage.removeItem(nameOf(sessionId));
    else sessionStorage.setItem(nameOf(sessionId), JSON.stringify(sent));
  } catch {
    // A browser without storage, or a full one.
  }
}

/** Returns true if some prompts of a session may not have arrived. */
export function mayHaveLost(sessionId: string): boolean {
  return readSent(sessionId).some(({ key }) => !awaited.has(key));
}

/** Forgets the prompts of a session for whose end the page does not wait. Their texts are in the conversation, or in the field again. */
export function forgetLost(sessionId: string): void {
  keepSent(
    sessionId,
    readSent(sessionId).filter(({ key }) => awaited.has(key)),
  );
}
