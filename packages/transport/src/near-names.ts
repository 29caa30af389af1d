/** Maximum length of a name that is compared or shown, in characters. */
export const MAX_NAME = 60;
/** Minimum length of a name that is looked for as a part of known names. */
const MIN_PART = 4;

/**
 * Returns the known name that a caller most probably means, or `undefined`. Tried in this order:
 *
 * - the name with the fewest different letters, if at most a third of them differs
 * - a name that is a part of `name`, or has `name` as a part
 *
 * Names of more than 60 characters have no nearest name.
 */
export function nearest(name: string, known: readonly string[]): string | undefined {
  if (name.length > MAX_NAME) return undefined;
  const low = name.toLowerCase();
  const ranked = known
    .map((one) => ({ one, far: distance(low, one.toLowerCase()) }))
    .filter(({ one, far }) => far <= Math.max(one.length, name.length) / 3)
    .sort((left, right) => left.far - right.far);
  if (ranked[0] !== undefined) return ranked[0].one;
  const part = known.find((one) => one.length > 2 && low.includes(one.toLowerCase()));
  const whole = name.length < MIN_PART ? undefined : known.find((one) => one.toLowerCase().includes(low));
  return part ?? whole;
}

/** Returns the number of letters to insert, remove or replace (Levenshtein). */
function distance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (const [index, letter] of [...from].entries()) {
    const next = [index + 1];
    for (let at = 1; at <= to.length; at += 1) {
      const replaced = (row[at - 1] ?? 0) + (to[at - 1] === letter ? 0 : 1);
      next.push(Math.min(replaced, (row[at] ?? 0) + 1, (next[at - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[to.length] ?? 0;
}
