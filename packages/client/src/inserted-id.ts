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
 * Returns the id of the user message in the replay that is the lost prompt, or `undefined`.
 *
 * - A message always counts if it has the id that the lost session has recorded for the prompt, because an agent may
 *   repeat a prompt in other words.
 * - Any other message counts only if it has the submitted content, and follows the last message that the lost session knew.
 *
 * Content proves nothing if the replay has none of the known messages, or fewer messages with this content than lost prompts.
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
