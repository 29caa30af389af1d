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
 * The search must stay fast for every text, and must never fail. It therefore begins with the rarest part of the form, and
 * what stands before this part is a lookbehind. Repetitions are bounded, and a name is searched backwards from its last
 * word. Long secrets are skipped in steps, because one repetition of megabytes would exhaust the stack of the regular
 * expression.
 */
export type Form = {
  /** Marks of the form, see `Marks`. Every match, with the text that the form needs before and after it, has one of them. */
  readonly marks: string;
  readonly find: RegExp;
  /** `"match"` if the whole match stays. `"nothing"` if group 1, in a lookbehind, is the start of the secret. */
  readonly keep?: "match" | "nothing";
  /** `true` if the form only matches at the start of a word. */
  readonly isWord?: boolean;
  /** Program that must stand before the match, in the same line. It is a global expression. */
  readonly program?: RegExp;
  /** Largest distance from the program to the match. The default is 300 characters. */
  readonly reach?: number;
  readonly end: End;
};

/** Search for a mark in a text, from its start to its end. The last result is stored, so that no part is searched twice. */
export class Ahead {
  #from = 0;
  #place = -1;

  /** `mark` is a text, or a global expression that matches one character. */
  constructor(
    readonly text: string,
    readonly mark: string | RegExp,
  ) {}

  /** Returns the next position of the mark at or after `from`. If there is none, returns the length of the text. */
  next(from: number): number {
    if (from < this.#from || from > this.#place) {
      this.#from = from;
      this.#place = this.#search(from);
    }
    return this.#place;
  }

  #search(from: number): number {
    const { text, mark } = this;
    if (typeof mark === "string") {
      const place = text.indexOf(mark, from);
      return place === -1 ? text.length : place;
    }
    mark.lastIndex = from;
    return mark.test(text) ? mark.lastIndex - 1 : text.length;
  }
}

/** Search of one form through a text, from its start to its end. */
export class Scan {
  // Most searches need neither map.
  #ahead: Map<string, Ahead> | undefined;
  #behind: Map<RegExp, { place: number; next: number }> | undefined;

  constructor(readonly text: string) {}

  /** Returns the next position of a mark. If there is none, returns the length of the text. */
  next(mark: string, from: number): number {
    this.#ahead ??= new Map();
    const ahead = this.#ahead.get(mark) ?? new Ahead(this.text, mark);
    this.#ahead.set(mark, ahead);
    return ahead.next(from);
  }

  /**
   * Returns `true` if `program`, a global expression, matches in the same line, at most `reach` characters before `at`.
   */
  isBehind(program: RegExp, at: number, reach: number): boolean {
    this.#behind ??= new Map();
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
export const wordStart = String.raw`(?:(?<![A-Za-z0-9])|(?<=\[[\d:;?]{1,24}[A-Za-z]|\[[KMkm]|\([0Bb]|\\(?:[0BEFNRTVbefnrtv]|[Xx][\dA-Fa-f]{2}|[Uu][\dA-Fa-f]{4}|[0-3][0-7]{2})|%(?:25){0,4}[\dA-Fa-f]{2}))`;
const start = new RegExp(wordStart, "y");

/** Returns `true` if a word can start at `at`. A lookbehind in the form itself would make each search slow. */
export function startsWord(text: string, at: number): boolean {
  start.lastIndex = at;
  return start.test(text);
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

/** Returns `true` if the character at `at` is in a table. There is none before the start of the text. */
export function has(table: Uint8Array, text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  // A read outside of the table takes ten times as long.
  return code < 128 && table[code] === 1;
}
