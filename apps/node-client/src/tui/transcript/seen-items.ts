import { isDeepStrictEqual } from "node:util";
import type { MessageEntry } from "@turnkit/session";

/**
 * How many of a message's items were seen of it already, if it is what it was and some more; `undefined` if it says
 * something else now. The state may have dropped some of its front since.
 */
export function seenItems(before: MessageEntry, now: MessageEntry): number | undefined {
  const gone = (now.dropped?.items ?? 0) - (before.dropped?.items ?? 0);
  const seen = before.content.length - gone;
  if (seen < 0 || seen > now.content.length) return undefined;
  // By what they say: a piece of text need not be the same object as before.
  return seen === 0 || isDeepStrictEqual(now.content.at(seen - 1), before.content.at(-1)) ? seen : undefined;
}
