/**
 * Function that returns the position after a match at `from`. If there is no match, it returns a negative number, and
 * the search continues after its absolute value.
 */
export type End = (scan: Scan, from: number, match: RegExpExecArray) => number;

/**
 * Form of a secret. `find` matches the start of the secret. The text of group 1 stays; with `keep`, the whole match
 * stays. `end` returns the end of the secret. For a text that is not a secret, it returns a negative number, and the
 * search continues after its absolute value.
 *
 * The search must stay fast for every text, and must never fail. Repetitions are therefore bounded, and a name is
 * searched backwards from its last word. Long secrets are skipped in steps, because one repetition of megabytes would
 * exhaust the stack of the regular expression.
 */
export type Form = {
  readonly find: RegExp;
  readonly keep?: "match";
  /** `true` if the form only matches at the start of a word. */
  readonly isWord?: boolean;
  readonly end: End;
};

/** Search through a text, from its start to its end. Results are stored, so that no part is searched twice. */
export class Scan {
  readonly #ahead = new Map<string | RegExp, { readonly from: number; readonly place: number }>();
  readonly #behind = new Map<RegExp, { place: number; next: number }>();

  constructor(readonly text: string) {}

  /**
   * Returns the next position of a text, or of a match of a global expression. If there is none, returns the length of
   * the text.
   */
  next(mark: string | RegExp, from: number): number {
    const known = this.#ahead.get(mark);
    if (known !== undefined && known.from <= from && known.place >= from) return known.place;
    const found = typeof mark === "string" ? this.text.indexOf(mark, from) : search(this.text, mark, from);
    const place = found === -1 ? this.text.length : found;
    this.#ahead.set(mark, { from, place });
    return place;
  }

  /**
   * Returns `true` if `program`, a global expression, matches in the same line, at most `reach` characters before `at`.
   */
  isBehind(program: RegExp, at: number, reach: number): boolean {
    const known = this.#behind.get(program) ?? { place: -1, next: 0 };
    while (known.next < at) {
      program.lastIndex = known.next;
      const found = program.exec(this.text);
      if (found !== null && found.index < at && startsWord(this.text, found.index)) known.place = found.index;
      known.next = found === null ? this.text.length : found.index < at ? program.lastIndex : found.index;
      if (found !== null && found.index >= at) break;
    }
    this.#behind.set(program, known);
    const { place } = known;
    return place !== -1 && at - place <= reach && !this.text.slice(place, at).includes("\n");
  }
}

/**
 * Pattern for the place where a word can start. It is a place without a letter or digit before it, or the end of one of
 * these:
 *
 * - an escape sequence for a terminal, such as a colour
 * - an escape of a string, such as `\\n`
 * - an encoded character of a URL, such as `%20`
 */
const start =
  /(?<![A-Za-z0-9])|(?<=\[[\d;:?]{1,24}[A-Za-z]|\[[mK]|\([B0]|\\(?:[befnrtv0]|x[\da-f]{2}|u[\da-f]{4}|[0-3][0-7]{2})|%(?:25){0,4}[\da-f]{2})/iy;

/** Returns `true` if a word can start at `at`. A lookbehind in the form itself would make each search slow. */
export function startsWord(text: string, at: number): boolean {
  start.lastIndex = at;
  return start.test(text);
}

function search(text: string, mark: RegExp, from: number): number {
  mark.lastIndex = from;
  return mark.exec(text)?.index ?? -1;
}

/**
 * Returns a function that skips all characters that match `step`. `step` is a sticky expression whose repetition has a
 * bound.
 */
export const skip = (step: RegExp) => (text: string, from: number) => {
  let at = from;
  for (step.lastIndex = at; step.test(text); step.lastIndex = at) at = step.lastIndex;
  return at;
};

/** Returns a function that finds the end of a secret. `step` matches the characters of a secret. */
export const until = (step: RegExp): End => {
  const to = skip(step);
  return ({ text }, from) => to(text, from);
};

/** Returns a table of the ASCII characters that match an expression. */
export function letters(one: RegExp): Uint8Array {
  return Uint8Array.from({ length: 128 }, (_, code) => (one.test(String.fromCharCode(code)) ? 1 : 0));
}

/** Returns true if the character at `at` is in a table. */
export function has(table: Uint8Array, text: string, at: number): boolean {
  return table[text.charCodeAt(at)] === 1;
}
