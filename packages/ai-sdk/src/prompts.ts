import type { Entry, MessageEntry, SessionState } from "@turnkit/session";

/** Returns true for a message of a user, of this client or of another one. */
export function isPrompt(entry: Entry | undefined): entry is MessageEntry {
  return entry?.type === "message" && entry.role === "user";
}

/** Returns the prompts of a state. */
export const promptsOf = ({ timeline }: SessionState): readonly MessageEntry[] => [...timeline].filter(isPrompt);

/** Returns the position after the newest prompt. */
export function answerStart({ timeline }: SessionState): number {
  let position = timeline.length;
  while (position > 0 && !isPrompt(timeline.at(position - 1))) position--;
  return position;
}

/** Returns the id of the answer to the newest prompt, or to the prompt with a number. It is the same after a restore. */
export function answerId(state: SessionState, prompts: number = promptsOf(state).length): string {
  return `${state.sessionId}/${prompts}`;
}
