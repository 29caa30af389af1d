/** Removes the oldest member of a collection that has more than `most`. Call it after each addition. */
export function dropOldest(
  collection: { readonly size: number; keys(): Iterable<string>; delete(key: string): unknown },
  most: number,
): void {
  const [oldest] = collection.size > most ? collection.keys() : [];
  if (oldest !== undefined) collection.delete(oldest);
}
