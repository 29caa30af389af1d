import type { MessageEntry } from "@turnkit/session";
import { joinedText } from "./content-text.js";
import type { SubmittedPrompt } from "./outcome-unknown.js";
import type { Session } from "./session.js";

/** Prompt without an answer. `entry` is its message in the lost session. */
export type LostPrompt = { readonly entry: MessageEntry; readonly submitted: SubmittedPrompt };

/** Returns the message of the prompt with a key. */
export function messageWith(key: string | undefined, { state }: Session): MessageEntry | undefined {
  if (key === undefined) return undefined;
  for (let at = state.timeline.length - 1; at >= 0; at -= 1) {
    const entry = state.timeline.at(at);
    if (entry?.type === "message" && entry.prompt?.idempotencyKey === key) return entry;
  }
  return undefined;
}

/**
 * Returns the id of the replayed user message that is a lost prompt. It has the submitted content. Messages up to the last one
 * that the lost session knew do not count. Content proves nothing in these cases:
 *
 * - The replay has none of the messages that the lost session knew, so its ids prove nothing.
 * - Several lost prompts have this content, and the replay has fewer such messages.
 *
 * The message with the id of the echo counts with any content, because an agent may repeat a prompt in other words.
 */
// P-RETRY-06
export function insertedId(before: Session, after: Session, { entry: own, submitted }: LostPrompt): string | undefined {
  const wanted = joinedText(submitted.prompt);
  const isWanted = ({ content }: MessageEntry) => joinedText(content.toArray()) === wanted;
  const known = new Set<string>();
  const lost: MessageEntry[] = [];
  for (const entry of before.state.timeline) {
    if (entry.type !== "message") continue;
    if (entry === own) lost.push(entry);
    else if (entry.messageId !== undefined) known.add(entry.messageId);
    else if (entry.role === "user" && isWanted(entry)) lost.push(entry);
  }
  let isKnown = known.size === 0;
  let found: string[] = [];
  let echo: string | undefined;
  for (const entry of after.state.timeline) {
    if (entry.type !== "message" || entry.messageId === undefined) continue;
    const { messageId } = entry;
    if (known.has(messageId)) [isKnown, found] = [true, []];
    if (known.has(messageId) || entry.role !== "user") continue;
    const isEcho = messageId === own.messageId;
    if (!isWanted(entry)) echo = isEcho ? messageId : echo;
    else if (isEcho) return messageId;
    else found.push(messageId);
  }
  const isCertain = isKnown && found.length >= lost.length;
  return (isCertain ? found[lost.indexOf(own)] : undefined) ?? echo;
}
