/** Maximum number of compared lines, maximum number of shown lines, and maximum length of a shown line. */
const MAX_WANTED = 200;
const MAX_SHOWN = 30;
const MAX_LENGTH = 200;

/** Maximum number of places of one line in the wanted text. Further places are ignored. */
const MAX_PLACES = 8;

/** Maximum length of a line that is compared with other lines, and minimum similarity. */
const MAX_COMPARED = 500;
const LEAST_LIKENESS = 0.5;

/**
 * Minimum length of a similar line, as a share of the wanted length. A line of `n` characters has `n - 1` pairs, so its
 * similarity is at most `2(n - 1) / (n - 1 + wanted - 1)`.
 */
const SHORTEST = 1 / 3;

/**
 * Returns a sentence with the lines of a text that most resemble a part which the text does not contain. The lines have
 * their numbers. Returns `undefined` if no line is similar. The time grows with the sum of both lengths.
 */
export function describeNearest(text: string, part: string): string | undefined {
  const lines = text.split("\n");
  const wanted = trimBlank(part.split("\n")).slice(0, MAX_WANTED).map(normal);
  if (wanted.length === 0) return undefined;
  const start = bestStart(lines, wanted) ?? similarStart(lines, wanted);
  if (start === undefined) return undefined;
  const first = Math.max(0, start);
  const found = lines.slice(first, start + wanted.length);
  const isSameButSpace =
    start >= 0 && found.length === wanted.length && found.every((line, at) => normal(line) === wanted[at]);
  const shown = found.slice(0, MAX_SHOWN).map((line, at) => numbered(first + at + 1, line.slice(0, MAX_LENGTH)));
  const rest = found.length > MAX_SHOWN ? [`[and ${found.length - MAX_SHOWN} more lines]`] : [];
  const name = found.length === 1 ? `line ${first + 1}` : `lines ${first + 1} to ${first + found.length}`;
  const how = isSameButSpace ? ", which differ only in white space" : "";
  return [`The closest place is ${name}${how}:`, ...shown, ...rest].join("\n");
}

/** Returns a line with its number, as `read_file` shows it. */
export function numbered(number: number, line: string): string {
  return `${number}\t${line}`;
}

/** Returns the start of the window with the most equal lines, apart from white space. Long lines count more. */
function bestStart(lines: readonly string[], wanted: readonly string[]): number | undefined {
  const places = new Map<string, number[]>();
  for (const [at, line] of wanted.entries()) {
    const known = places.get(line) ?? [];
    if (line !== "" && known.length < MAX_PLACES) places.set(line, [...known, at]);
  }
  // The start of a window may lie before the first line.
  const votes = new Float64Array(lines.length + wanted.length);
  let best: { readonly start: number; readonly count: number } | undefined;
  for (const [at, line] of lines.entries()) {
    const key = normal(line);
    for (const place of places.get(key) ?? []) {
      const start = at - place;
      const count = (votes[start + wanted.length] ?? 0) + Math.min(key.length, MAX_COMPARED);
      votes[start + wanted.length] = count;
      if (best === undefined || count > best.count) best = { start, count };
    }
  }
  return best?.start;
}

/** Returns the start of the window around the line that most resembles the longest wanted line. */
function similarStart(lines: readonly string[], wanted: readonly string[]): number | undefined {
  const key = wanted
    .reduce((longest, line) => (line.length > longest.length ? line : longest), "")
    .slice(0, MAX_COMPARED);
  const pairs = pairsOf(key);
  let best: { readonly at: number; readonly likeness: number } | undefined;
  for (const [at, line] of lines.entries()) {
    // A much shorter line cannot be similar enough.
    if (line.length < key.length * SHORTEST) continue;
    const other = normal(line.slice(0, MAX_COMPARED));
    const likeness = likenessOf(key.length, pairs, other);
    if (likeness >= LEAST_LIKENESS && likeness > (best?.likeness ?? 0)) best = { at, likeness };
  }
  return best && best.at - wanted.findIndex((line) => line.startsWith(key));
}

/** Returns the share of equal pairs of characters, from 0 to 1 (coefficient of Dice). */
function likenessOf(length: number, pairs: ReadonlyMap<string, number>, line: string): number {
  let common = 0;
  for (const [pair, count] of pairsOf(line)) common += Math.min(count, pairs.get(pair) ?? 0);
  const total = length + line.length - 2;
  return total <= 0 ? 0 : (2 * common) / total;
}

function pairsOf(line: string): ReadonlyMap<string, number> {
  const pairs = new Map<string, number>();
  for (let at = 0; at + 1 < line.length; at += 1) {
    const pair = line.slice(at, at + 2);
    pairs.set(pair, (pairs.get(pair) ?? 0) + 1);
  }
  return pairs;
}

/** Returns a line with single spaces. The pattern does not match single spaces, because each match takes time. */
function normal(line: string): string {
  if (line === "") return line;
  return line.trim().replace(/\s{2,}|[^\S ]/g, " ");
}

function trimBlank(lines: readonly string[]): readonly string[] {
  const isFull = (line: string) => line.trim() !== "";
  return lines.slice(lines.findIndex(isFull), lines.findLastIndex(isFull) + 1);
}
