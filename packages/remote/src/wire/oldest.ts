/** Removes the oldest entry of a collection that has more than `most`. Call it after each entry that is added. */
export function dropOldest<K>(entries: Set<K> | Map<K, unknown>, most: number): void {
  const [oldest] = entries.size > most ? entries.keys() : [];
  if (oldest !== undefined) entries.delete(oldest);
}
