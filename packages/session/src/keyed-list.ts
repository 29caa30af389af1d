import { differingPositions } from "./persistent-list.js";
import { type KeyedList, lineFor, type Naming, Vector } from "./vector.js";

/** Returns a keyed list of the given items. Their keys must differ. */
export function keyedOf<T>(naming: Naming<T>, items: Iterable<T> = []): KeyedList<T> {
  return new Vector<T>(lineFor(naming)).of(items);
}

/** Returns an empty keyed list. The member with the given name is the key of its items. */
export function keyedBy<K extends string, T extends { readonly [P in K]: string }>(member: K): KeyedList<T> {
  return keyedOf<T>({ names: (item) => [item[member]] });
}

/** Returns the items for which `keep` returns `true`. The cost grows with the length of the list. */
export function filtered<T>(keyed: KeyedList<T>, keep: (item: T, position: number) => boolean): KeyedList<T> {
  return (keyed as Vector<T>).of([...keyed].filter(keep));
}

/** Differences between two keyed lists. */
export type KeyedChanges<T> = {
  /** Items of the later list that are new or different, in order. */
  readonly changed: readonly {
    readonly position: number;
    readonly item: T;
    /** `undefined` if the item is new. */
    readonly before: T | undefined;
  }[];
  /** Keys that are only in the earlier list. */
  readonly removed: readonly string[];
  /** `true` if items that are in both lists have other positions. Every position then counts as changed. */
  readonly moved: boolean;
};

/**
 * Compares two keyed lists with the same naming. The cost grows with the number of differences. If items were removed,
 * it grows with the length of the list.
 */
export function keyedChanges<T>(before: KeyedList<T>, after: KeyedList<T>): KeyedChanges<T> {
  const keyOf = (item: T): string => ((after as Vector<T>).line.naming as Naming<T>).names(item)[0] as string;
  const changed: { position: number; item: T; before: T | undefined }[] = [];
  const removed: string[] = [];
  let moved = false;
  // Only the first key counts, because the second key of an item may belong to another item.
  const placeOf = (keyed: KeyedList<T>, key: string): number => {
    const position = keyed.indexOf(key);
    return position >= 0 && keyOf(keyed.at(position) as T) === key ? position : -1;
  };
  const look = (position: number): void => {
    const item = after.at(position);
    if (item !== undefined) {
      const key = keyOf(item);
      const known = placeOf(before, key);
      const was = known < 0 ? undefined : before.at(known);
      if (known >= 0 && known !== position) moved = true;
      if (was !== item) changed.push({ position, item, before: was });
    }
    const gone = before.at(position);
    if (gone !== undefined && placeOf(after, keyOf(gone)) < 0) removed.push(keyOf(gone));
  };
  if (before === after) return { changed, removed, moved };
  for (const position of differingPositions(before, after)) look(position);
  const longer = Math.max(before.length, after.length);
  for (let position = Math.min(before.length, after.length); position < longer; position++) look(position);
  return { changed, removed, moved };
}
