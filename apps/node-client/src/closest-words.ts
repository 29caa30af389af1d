/** Length up to which words are compared. */
const MAX_LENGTH = 64;

/** Returns the words that a misspelled word probably means, the most similar first. Upper and lower case are equal. */
export function closestWords(word: string, words: Iterable<string>): readonly string[] {
  const wanted = word.toLowerCase();
  const rated = [...new Set(words)].map((one) => ({ one, distance: distanceOf(wanted, one.toLowerCase()) }));
  return rated
    .filter(({ one, distance }) => distance <= (one.length > 5 ? 2 : 1) && distance < wanted.length)
    .sort((a, b) => a.distance - b.distance)
    .slice(0, 3)
    .map(({ one }) => one);
}

/** Returns the number of characters to insert, delete, replace or swap with their neighbour. */
function distanceOf(a: string, b: string): number {
  if (a.length > MAX_LENGTH || b.length > MAX_LENGTH) return Number.POSITIVE_INFINITY;
  let older: number[] = [];
  let old = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const isSame = a[i - 1] === b[j - 1];
      const isSwapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const steps = [at(old, j) + 1, at(row, j - 1) + 1, at(old, j - 1) + (isSame ? 0 : 1)];
      if (isSwapped) steps.push(at(older, j - 2) + 1);
      row.push(Math.min(...steps));
    }
    older = old;
    old = row;
  }
  return at(old, b.length);
}

function at(row: readonly number[], index: number): number {
  return row[index] ?? Number.POSITIVE_INFINITY;
}
