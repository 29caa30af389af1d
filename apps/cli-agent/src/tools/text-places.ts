/** Maximum number of characters that are searched for all edits of a call. */
const MAX_SEARCHED = 32 * 1024 * 1024;

/** Returns `true` if one call may have this number of edits for a text. A text of 1 MB may have 32 edits. */
export function allowsEdits(text: string, edits: number): boolean {
  return edits === 1 || edits * text.length <= MAX_SEARCHED;
}

/** Maximum length of a part that `indexOf` searches. For longer parts, the time of `indexOf` can be the product of both lengths. */
const SHORT = 16;

/**
 * Returns the places of a part that is not empty, at most `most`. Places that overlap an earlier one are left out, unless
 * `overlapping` is `true`. The time grows with the sum of both lengths, also for repetitive texts (algorithm of Knuth,
 * Morris and Pratt).
 */
export function placesIn(
  text: string,
  part: string,
  { most, overlapping = false }: { readonly most: number; readonly overlapping?: boolean },
): readonly number[] {
  const places: number[] = [];
  if (part.length <= SHORT) {
    const step = overlapping ? 1 : part.length;
    for (let at = text.indexOf(part); at >= 0 && places.length < most; at = text.indexOf(part, at + step)) {
      places.push(at);
    }
    return places;
  }
  const shorter = shorterMatches(part);
  let length = 0;
  for (let at = 0; at < text.length && places.length < most; at++) {
    length = longer(part, shorter, length, text.charCodeAt(at));
    if (length < part.length) continue;
    places.push(at + 1 - length);
    length = overlapping ? (shorter[length] ?? 0) : 0;
  }
  return places;
}

/** Returns for each length of a match the length of the next shorter match that ends at the same place. */
function shorterMatches(part: string): Int32Array {
  const shorter = new Int32Array(part.length + 1);
  let length = 0;
  for (let at = 1; at < part.length; at++) {
    length = longer(part, shorter, length, part.charCodeAt(at));
    shorter[at + 1] = length;
  }
  return shorter;
}

/** Returns the length of the longest match after one more character. */
function longer(part: string, shorter: Int32Array, length: number, code: number): number {
  let best = length;
  while (best > 0 && part.charCodeAt(best) !== code) best = shorter[best] ?? 0;
  return part.charCodeAt(best) === code ? best + 1 : best;
}
