import type { ContentBlock } from "@turnkit/session";
import { joinTextBlocks } from "@turnkit/session/codec";

/**
 * Returns a text that is the same for equal contents. The order of members does not matter, `null` is like an absent member,
 * and pieces of text are joined.
 */
export function contentText(content: readonly ContentBlock[]): string {
  const plain = JSON.parse(JSON.stringify(content, canonical)) as readonly ContentBlock[];
  return JSON.stringify(joinTextBlocks(plain, { letters: Number.POSITIVE_INFINITY }), canonical);
}

function canonical(_: string, value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  const members = Object.entries(value).filter(([, member]) => member != null);
  return Object.fromEntries(members.sort(([one], [other]) => (one < other ? -1 : 1)));
}
