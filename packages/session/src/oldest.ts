/** Removes the oldest entry of a collection that has more than `most`. Call it after each entry that is added. */
export function dropOldest<K>(entries: Set<K> | Map<K, unknown>, most: number): void {
  if (entries.size <= most) return;
  const [oldest] = entries.keys();
  entries.delete(oldest as K);
}
