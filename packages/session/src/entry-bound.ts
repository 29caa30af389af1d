import { bytesOf } from "./bytes.js";
import type { Dropped } from "./entry.js";
import { type Sequence, withoutOldText } from "./sequence.js";
import type { SessionState } from "./state.js";

/** An entry by the parts that grow: a message by its content, a compaction by its summary. */
export type Growing = {
  readonly content?: Sequence<unknown>;
  readonly summary?: Sequence<unknown>;
  readonly dropped?: Dropped;
};

/** Which list of an entry grows. */
export type GrowingList = "content" | "summary";

/** What an entry has lost that lost nothing. */
export const NOTHING: Dropped = { items: 0, bytes: 0 };

/** An entry whose list has grown: where its text is more than `entryBytes` by that, without the oldest of it. */
export function withinEntryBound<T extends object>(entry: T, list: GrowingList, { limits }: SessionState): T {
  const { [list]: items, dropped = NOTHING } = entry as Growing;
  const left = withoutOldText(items as Sequence<unknown>, limits.entryBytes);
  if (left === items) return entry;
  const lost = (items as Sequence<unknown>).length - left.length;
  const bytes = bytesOf(items) - bytesOf(left);
  return { ...entry, [list]: left, dropped: { items: dropped.items + lost, bytes: dropped.bytes + bytes } };
}
