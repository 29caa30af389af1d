import { clusterEnd, type Fit, fit } from "./cluster.js";
import type { Layout, WrapOptions } from "./context.js";
import { type Line, restyled, type Span, textOf } from "./line.js";

const ASCII = /^[\x20-\x7e]*$/;
const WORDS = /\s+|\S+/g;

export function widthOf(text: string): number {
  return ASCII.test(text) ? text.length : fit(text, 0, Number.POSITIVE_INFINITY).width;
}

/** Returns the width of a text, or `most + 1` for any wider text. A long text is read only up to there. */
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
  const lead = first.reduce((sum, span) => sum + widthOf(textOf(span)), 0);
  const room = Math.max(1, width - lead);
  if (isShort(line, room)) return [lead === 0 ? line : [...first, ...line]];
  const lines = at === "words" ? wrapWords(line, room) : wrapWidth(line, room);
  return lines.map((one, index) => (lead === 0 ? one : [...(index === 0 ? first : rest), ...one]));
}

/** Returns `true` if a line is ASCII, fits, and keeps all its spaces. */
function isShort(line: Line, room: number): boolean {
  const [only = "", ...others] = line;
  if (others.length > 0) return false;
  const text = typeof only === "string" ? only : only[1];
  return text.length < room && ASCII.test(text);
}

/** Breaks a text with several lines, like {@link wrap}. */
export function wrapText(text: string, width: number, options: WrapOptions = {}): Line[] {
  const { first = [], rest = first } = options;
  const inFirst = { ...options, first, rest };
  const inRest = { ...options, first: rest, rest };
  const isBare = first.length === 0 && rest.length === 0;
  const lines: Line[] = [];
  for (const [index, line] of text.split("\n").entries()) {
    const whole = [line];
    if (isBare && line === "") lines.push([]);
    else if (isBare && isShort(whole, Math.max(1, width))) lines.push(whole);
    else for (const part of wrap(whole, width, index === 0 ? inFirst : inRest)) lines.push(part);
  }
  return lines;
}

/** Returns a line of at most `width` columns. A longer line is cut and gets an ellipsis. */
export function clip(line: Line, width: number): Line {
  const kept: Span[] = [];
  let left = width;
  for (const span of line) {
    const text = textOf(span);
    const { end, width: taken } = fit(text, 0, left);
    if (end === text.length) {
      kept.push(span);
      left -= taken;
      continue;
    }
    // The ellipsis needs the last column, which may belong to the previous span.
    if (left > 0) kept.push(restyled(span, `${text.slice(0, fit(text, 0, left - 1).end)}…`));
    break;
  }
  return kept;
}

export const screenLayout: Layout = { wrap, wrapText, clip };

/** Collector of pieces of text, which become lines. Neighbouring pieces of one span become one span of the result. */
class Lines {
  readonly all: Span[][] = [[]];
  used = 0;

  get last(): Span[] {
    return this.all[this.all.length - 1] as Span[];
  }

  add(span: Span, width: number): void {
    this.last.push(span);
    this.used += width;
  }

  next(): void {
    this.all.push([]);
    this.used = 0;
  }
}

type Piece = { readonly span: Span; readonly width: number };

function wrapWords(line: Line, width: number): Line[] {
  const lines = new Lines();
  let word: Piece[] = [];
  let wordWidth = 0;
  const place = () => {
    if (wordWidth === 0 && word.length === 0) return;
    if (lines.used > 0 && lines.used + wordWidth > width) {
      trimEnd(lines.last);
      lines.next();
    }
    if (wordWidth <= width) for (const piece of word) lines.add(piece.span, piece.width);
    else for (const piece of word) breakInto(lines, piece.span, width);
    word = [];
    wordWidth = 0;
  };
  for (const span of line) {
    const text = textOf(span);
    for (const [piece] of text.matchAll(WORDS)) {
      if (piece.trim() !== "") {
        const columns = widthUpTo(piece, width);
        word.push({ span: restyled(span, piece), width: columns });
        wordWidth += columns;
        continue;
      }
      place();
      const blank = widthUpTo(piece, width);
      const isStart = lines.used === 0 && lines.all.length > 1;
      if (lines.used + blank < width && !isStart) lines.add(restyled(span, piece), blank);
      else if (lines.used > 0) lines.used = width;
    }
  }
  place();
  return lines.all;
}

function trimEnd(line: Span[]): void {
  const last = line.at(-1);
  if (last !== undefined && textOf(last).trim() === "") line.pop();
}

function wrapWidth(line: Line, width: number): Line[] {
  const lines = new Lines();
  for (const span of line) breakInto(lines, span, width);
  return lines.all;
}

/** Returns the same as {@link fit}. Each character takes one column. */
function fitAscii(text: string, from: number, room: number): Fit {
  const end = Math.min(text.length, from + Math.max(0, room));
  return { end, width: end - from };
}

/** Adds a span to lines of `width` columns. The text is read only once, so the time is linear. */
function breakInto(lines: Lines, span: Span, width: number): void {
  const text = textOf(span);
  const isAscii = ASCII.test(text);
  for (let at = 0; at < text.length; ) {
    const room = width - lines.used;
    const { end, width: taken } = isAscii ? fitAscii(text, at, room) : fit(text, at, room);
    if (end > at) lines.add(restyled(span, text.slice(at, end)), taken);
    if (end === text.length) return;
    if (end > at || lines.used > 0) {
      lines.next();
      at = end;
      continue;
    }
    // A character that is wider than the screen is not split.
    const next = clusterEnd(text, at);
    lines.add(restyled(span, text.slice(at, next)), width);
    at = next;
  }
}
