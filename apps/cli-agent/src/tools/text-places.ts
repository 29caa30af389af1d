/** Maximum number of characters that are searched for all edits of a call. */
const MAX_SEARCHED = 32 * 1024 * 1024;

/**
 * Returns `true` if a text is searched for that many edits in one call. For a text of 1 MB, these are 32 edits.
 */
export function canSearch(text: string, edits: number): boolean {
  return edits === 1 || edits * text.length <= MAX_SEARCHED;
}

/** Maximum length of a part that `indexOf` searches. For longer parts, the time of `indexOf` can be the product of both lengths. */
const SHORT = 16;

/**
 * Returns the first two places of a part in a text. They may overlap. The time grows with the sum of both lengths, also
 * for repetitive texts (algorithm of Knuth, Morris and Pratt).
 */
export function firstPlaces(text: string, part: string): readonly number[] {
  if (part.length <= SHORT) {
    const first = text.indexOf(part);
    const second = first < 0 ? -1 : text.indexOf(part, first + 1);
    return [first, second].filter((place) => place >= 0);
  }
  const places: number[] = [];
  const shorter = shorterMatches(part);
  let length = 0;
  for (let at = 0; at < text.length && places.length < 2; at++) {
    length = longer(part, shorter, length, text.charCodeAt(at));
    if (length < part.length) continue;
    places.push(at + 1 - length);
    length = shorter[length] ?? 0;
  }
  return places;
}

/**
 * Returns the places of a part that is not empty, without places that overlap an earlier one. The time grows with the sum
 * of both lengths.
 *
 * @param most number of places after which the search ends
 */
export function allPlaces(text: string, part: string, most: number): readonly number[] {
  const places: number[] = [];
  if (part.length <= SHORT) {
    let at = text.indexOf(part);
    while (at >= 0 && places.length < most) {
      places.push(at);
      at = text.indexOf(part, at + part.length);
    }
    return places;
  }
  const shorter = shorterMatches(part);
  let length = 0;
  for (let at = 0; at < text.length && places.length < most; at++) {
    length = longer(part, shorter, length, text.charCodeAt(at));
    if (length < part.length) continue;
    places.push(at + 1 - length);
    length = 0;
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
