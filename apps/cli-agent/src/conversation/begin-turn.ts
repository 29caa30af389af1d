import type { ContentBlock } from "@turnkit/agent";
import type { ConversationItem } from "../model.js";

/** How much of a conversation is kept for the model, in characters of its JSON, pictures included. */
const MAX_LENGTH = 16_000_000;

/** Adds a prompt. The oldest turns go, each as a whole, when the conversation has become too long; the prompt stays. */
export function beginTurn(
  conversation: ConversationItem[],
  prompt: readonly ContentBlock[],
  maxLength = MAX_LENGTH,
): void {
  conversation.push({ role: "user", content: prompt });
  const lengths = conversation.map((item) => JSON.stringify(item).length);
  let length = lengths.reduce((sum, next) => sum + next, 0);
  while (length > maxLength) {
    const next = conversation.findIndex(({ role }, index) => index > 0 && role === "user");
    if (next < 0) return;
    conversation.splice(0, next);
    length -= lengths.splice(0, next).reduce((sum, gone) => sum + gone, 0);
  }
}

/** Where the last prompt is: what comes after it is the turn so far. */
export function lastPrompt(conversation: readonly ConversationItem[]): number {
  return Math.max(
    0,
    conversation.findLastIndex(({ role }) => role === "user"),
  );
}
