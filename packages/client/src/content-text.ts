import type { ContentBlock } from "@turnkit/session";
import { joinTextBlocks } from "@turnkit/session/codec";

/** Returns a text that is the same for equal contents. The order of members does not matter; `null` is like an absent member. */
export const contentText = (content: readonly ContentBlock[]): string => JSON.stringify(content, canonical);

/** Returns the {@link contentText} after joining pieces of text. An agent may repeat a prompt in pieces. */
export function joinedText(content: readonly ContentBlock[]): string {
  const plain = JSON.parse(contentText(content)) as readonly ContentBlock[];
  return contentText(joinTextBlocks(plain, { letters: Number.POSITIVE_INFINITY }));
}

function canonical(_: string, value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  const members = Object.entries(value).filter(([, member]) => member != null);
  return Object.fromEntries(members.sort(([one], [other]) => (one < other ? -1 : 1)));
}
