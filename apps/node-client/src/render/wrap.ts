import { clusterEnd, type Fit, fit } from "./cluster.js";
import type { Layout, WrapOptions } from "./context.js";
import { type Line, restyled, type Span, textOf, withoutLinks } from "./line.js";

const ASCII = /^[\x20-\x7e]*$/;
const WORDS = /\s+|\S+/g;

export function widthOf(text: string): number {
  return ASCII.test(text) ? text.length : fit(text, 0, Number.POSITIVE_INFINITY).width;
}

/** Returns the width of a text, or `most + 1` for every wider text. A long text is read only up to this width. */
function widthUpTo(text: string, most: number): number {
  if (ASCII.test(text)) return text.length;
  const { end, width } = fit(text, 0, most);
  return end === text.length ? width : most + 1;
}

export function lineWidth(line: Line): number {
  return line.reduce((width, span) => width + widthOf(textOf(span)), 0);
}

/** Breaks a line into lines of at most `width` columns. Spaces at the breaks are removed; all other text stays. */
export function wrap(line: Line, width: number, { first = [], rest = first, at = "words" }: WrapOptions = {}): Line[] {
  const room = Math.max(1, width - lineWidth(first));
  if (isShort(line, room)) return [first.length === 0 ? line : [...first, ...line]];
  const lines = new Lines(room, rest === first ? room : Math.max(1, width - lineWidth(rest)));
  if (at === "words") wrapWords(line, lines);
  else wrapWidth(line, lines);
  const isBare = first.length === 0 && rest.length === 0;
  return lines.end().map((one, index) => (isBare ? one : [...(index === 0 ? first : rest), ...one]));
}

/** Returns `true` if a line is ASCII, fits, and keeps all its spaces. */
function isShort(line: Line, room: number): boolean {
  let length = 0;
  for (const span of line) {
    const text = typeof span === "string" ? span : span[1];
    length += text.length;
    if (length >= room || !ASCII.test(text)) return false;
  }
  return true;
}

/** Breaks a text with several lines, like {@link wrap}. */
export function wrapText(text: string, width: number, options: WrapOptions = {}): Line[] {
  const { first = [], rest = first } = options;
  const inFirst = { ...options, first, rest };
  const inRest = { ...options, first: rest, rest };
  const isBare = first.length === 0 && rest.length === 0;
  const lines: Line[] = [];
  let look = inFirst;
  for (const line of text.split("\n")) {
    const whole = line === "" ? empty : [line];
    if (isBare && isShort(whole, Math.max(1, width))) lines.push(whole);
    else for (const part of wrap([line], width, look)) lines.push(part);
    look = inRest;
  }
  return lines;
}

/** Line without text. The object is shared, because a text may have a million empty lines. */
const empty: Line = [];

/** Maximum number of characters of a span that {@link clip} reads. An agent chooses the lengths of its texts. */
const MAX_CLIPPED = 4096;

/** Returns a line of at most `width` columns. A longer line is cut and gets an ellipsis. */
export function clip(line: Line, width: number): Line {
  const kept: Span[] = [];
  let left = width;
  for (const span of line) {
    const raw = typeof span === "string" ? span : span[1];
    const isWhole = raw.length <= MAX_CLIPPED;
    const text = textOf(isWhole ? span : raw.slice(0, MAX_CLIPPED));
    const { end, width: taken } = fit(text, 0, left);
    if (end === text.length && isWhole) {
      kept.push(span);
      left -= taken;
      continue;
    }
    // The ellipsis needs the last column, which may belong to the previous span. If the shown address of a link is cut,
    // the link could lead to another place than the person expects.
    const [last = ""] = withoutLinks([span]);
    if (left > 0) kept.push(restyled(last, `${text.slice(0, fit(text, 0, left - 1).end)}…`));
    break;
  }
  return kept;
}

/** Splits a line around the character in column `x`. At the end of the line, `at` is empty. */
export function splitAt(line: Line, x: number): { readonly before: Line; readonly at: string; readonly after: Line } {
  let left = x;
  for (const [index, span] of line.entries()) {
    const text = textOf(span);
    const { end, width } = fit(text, 0, left);
    left -= width;
    if (end === text.length) continue;
    const next = clusterEnd(text, end);
    return {
      before: [...line.slice(0, index), restyled(span, text.slice(0, end))],
      at: text.slice(end, next),
      after: [restyled(span, text.slice(next)), ...line.slice(index + 1)],
    };
  }
  return { before: line, at: "", after: [] };
}

export const screenLayout: Layout = { wrap, wrapText, clip };

type Piece = { readonly span: Span; readonly text: string; readonly from: number; readonly to: number };

/** Collector of pieces of text, which become lines. Neighbouring pieces of one span become one span of the result. */
class Lines {
  readonly #all: Span[][] = [[]];
  readonly #first: number;
  readonly #others: number;
  /** Neighbouring pieces of one span that are not in the line yet. */
  #pending: Piece | undefined;
  /** Start of the last piece. */
  #last = 0;
  used = 0;

  /** `first` is the width of the first line, and `others` is the width of each other line. */
  constructor(first: number, others: number) {
    this.#first = first;
    this.#others = others;
  }

  /** Width of the current line. */
  get width(): number {
    return this.isFirst ? this.#first : this.#others;
  }

  get widest(): number {
    return Math.max(this.#first, this.#others);
  }

  get isFirst(): boolean {
    return this.#all.length === 1;
  }

  add(piece: Piece, width: number): void {
    const before = this.#pending;
    const isNext = before !== undefined && before.span === piece.span && before.to === piece.from;
    if (!isNext) this.#flush();
    this.#pending = isNext ? { ...piece, from: before.from } : piece;
    this.#last = piece.from;
    this.used += width;
  }

  /** Begins the next line. With `trim`, a blank at the end of this line is removed. */
  next(trim = false): void {
    const piece = this.#pending;
    if (trim && piece !== undefined && isBlank(piece.text, this.#last)) this.#pending = { ...piece, to: this.#last };
    this.#flush();
    this.#all.push([]);
    this.used = 0;
  }

  end(): Line[] {
    this.#flush();
    return this.#all;
  }

  #flush(): void {
    if (this.#pending === undefined) return;
    const { span, text, from, to } = this.#pending;
    if (to > from) (this.#all[this.#all.length - 1] as Span[]).push(restyled(span, text.slice(from, to)));
    this.#pending = undefined;
  }
}

/**
 * Returns `true` if the piece of a text at `at` is white space. A piece has either only white space or no white space.
 */
function isBlank(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code === 0x20 || (code > 0x7e && text.charAt(at).trim() === "");
}

function wrapWords(line: Line, lines: Lines): void {
  let word: Piece[] = [];
  let wordWidth = 0;
  const place = () => {
    if (word.length === 0) return;
    if (lines.used > 0 && lines.used + wordWidth > lines.width) lines.next(true);
    // The width of a word with one piece was already computed.
    if (wordWidth > lines.width) for (const piece of word) breakInto(lines, piece);
    else for (const piece of word) lines.add(piece, word.length === 1 ? wordWidth : widthOf(sliceOf(piece)));
    word = [];
    wordWidth = 0;
  };
  for (const span of line) {
    const text = textOf(span);
    const isAscii = ASCII.test(text);
    const columns = (from: number, to: number) => (isAscii ? to - from : widthUpTo(text.slice(from, to), lines.widest));
    WORDS.lastIndex = 0;
    for (let from = 0; WORDS.test(text); from = WORDS.lastIndex) {
      const to = WORDS.lastIndex;
      const piece = { span, text, from, to };
      if (!isBlank(text, from)) {
        word.push(piece);
        wordWidth += columns(from, to);
        continue;
      }
      place();
      const blank = columns(from, to);
      if (lines.used + blank < lines.width && (lines.used > 0 || lines.isFirst)) lines.add(piece, blank);
      else if (lines.used > 0) lines.used = lines.width;
    }
  }
  place();
}

function sliceOf({ text, from, to }: Piece): string {
  return text.slice(from, to);
}

function wrapWidth(line: Line, lines: Lines): void {
  for (const span of line) {
    const text = textOf(span);
    breakInto(lines, { span, text, from: 0, to: text.length });
  }
}

/** Returns the same as {@link fit}. Each character takes one column. */
function fitAscii(text: string, from: number, room: number): Fit {
  const end = Math.min(text.length, from + Math.max(0, room));
  return { end, width: end - from };
}

/** Adds a piece to lines. The text is read only once, so the time is linear. */
function breakInto(lines: Lines, piece: Piece): void {
  const text = sliceOf(piece);
  const isAscii = ASCII.test(text);
  const add = (from: number, to: number, taken: number) =>
    lines.add({ ...piece, from: piece.from + from, to: piece.from + to }, taken);
  for (let at = 0; at < text.length; ) {
    const room = lines.width - lines.used;
    const { end, width: taken } = isAscii ? fitAscii(text, at, room) : fit(text, at, room);
    if (end > at) add(at, end, taken);
    if (end === text.length) return;
    if (end > at || lines.used > 0) {
      lines.next();
      at = end;
      continue;
    }
    // A character that is wider than the screen is not split.
    const next = clusterEnd(text, at);
    add(at, next, lines.width);
    at = next;
  }
}
