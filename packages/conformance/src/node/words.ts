/**
 * Splits a command line into words. Quotes keep spaces, and a backslash outside of single quotes keeps the next quote,
 * space or backslash. Nothing is expanded, because no shell is used.
 *
 * @throws Error for a quote without an end
 */
export function splitWords(line: string): readonly string[] {
  const words: string[] = [];
  let word: string | undefined;
  let quote: string | undefined;
  for (let at = 0; at < line.length; at += 1) {
    const one = line[at] as string;
    const next = line[at + 1] ?? "";
    if (one === "\\" && quote !== "'" && /["'\\\s]/.test(next)) {
      word = (word ?? "") + next;
      at += 1;
    } else if (quote !== undefined) {
      if (one === quote) quote = undefined;
      else word = (word ?? "") + one;
    } else if (one === '"' || one === "'") {
      quote = one;
      word ??= "";
    } else if (/\s/.test(one)) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else word = (word ?? "") + one;
  }
  if (quote !== undefined) throw new Error(`The quote ${quote} has no end in: ${line}`);
  return word === undefined ? words : [...words, word];
}

/** Returns the words as one command line, which {@link splitWords} splits again. */
export function joinWords(words: readonly string[]): string {
  return words.map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `"${word.replace(/["\\]/g, "\\$&")}"`)).join(" ");
}
