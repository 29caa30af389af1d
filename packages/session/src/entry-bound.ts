import { bytesOf } from "./bytes.js";
import type { Dropped } from "./entry.js";
import { withoutOldText } from "./persistent-list.js";
import type { SessionState } from "./state.js";
import type { PersistentList } from "./vector.js";

/** Entry whose `content` (of a message) or `summary` (of a compaction) grows. */
export type Growing = {
  readonly content?: PersistentList<unknown>;
  readonly summary?: PersistentList<unknown>;
  readonly dropped?: Dropped;
};

/** Name of the list of an entry that grows. */
export type GrowingList = "content" | "summary";

/** Returns an entry whose list has grown. If it exceeds `entryBytes`, its oldest text is dropped. */
export function withinEntryBound<T extends object>(entry: T, list: GrowingList, { limits }: SessionState): T {
  const items = (entry as Growing)[list] as PersistentList<unknown>;
  const left = withoutOldText(items, limits.entryBytes);
  return left === items ? entry : shortened(entry, list, left);
}

/** Returns an entry with a shortened list. The entry counts the dropped items. */
export function shortened<T extends object>(
  entry: T,
  list: GrowingList,
  left: PersistentList<unknown>,
  others: readonly unknown[] = [],
): T {
  const { [list]: items, dropped = { items: 0, bytes: 0 } } = entry as Growing & {
    [L in GrowingList]: PersistentList<unknown>;
  };
  const lost = {
    items: dropped.items + items.length - left.length + others.length,
    bytes: dropped.bytes + bytesOf(items) - bytesOf(left) + bytesOf(others),
  };
  return { ...entry, [list]: left, dropped: lost };
}
