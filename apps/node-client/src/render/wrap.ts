import stringWidth from "string-width";
import { type Line, restyled, type Span, textOf } from "./line.js";
import type { Layout, WrapOptions } from "./place.js";

const ASCII = /^[\x20-\x7e]*$/;
const WORDS = /\s+|\S+/g;
const graphemes = new Intl.Segmenter(undefined, { granularity: "grapheme" });

export function widthOf(text: string): number {
  return ASCII.test(text) ? text.length : stringWidth(text);
}

export function lineWidth(line: Line): number {
  return line.reduce((width, span) => width + widthOf(textOf(span)), 0);
}

/** Breaks a line into lines of at most `width` columns. Spaces at the breaks are removed; all other text stays. */
export function wrap(line: Line, width: number, { first = [], rest = first, at = "words" }: WrapOptions = {}): Line[] {
  const lead = first.reduce((sum, span) => sum + widthOf(textOf(span)), 0);
  const room = Math.max(1, width - lead);
  const lines = at === "words" ? wrapWords(line, room) : wrapWidth(line, room);
  return lines.map((one, index) => (lead === 0 ? one : [...(index === 0 ? first : rest), ...one]));
}

/** Breaks a text with several lines, like {@link wrap}. */
export function wrapText(text: string, width: number, options: WrapOptions = {}): Line[] {
  const { first = [], rest = first } = options;
  return text
    .split("\n")
    .flatMap((line, index) => wrap([line], width, { ...options, first: index === 0 ? first : rest, rest }));
}

/** Returns a line of at most `width` columns. A longer line is cut and gets an ellipsis. */
export function clip(line: Line, width: number): Line {
  const kept: Span[] = [];
  let left = width;
  for (const span of line) {
    const text = textOf(span);
    const taken = widthOf(text);
    if (taken <= left) {
      kept.push(span);
      left -= taken;
      continue;
    }
    // The ellipsis needs the last column, which may belong to the previous span.
    const head = left > 0 ? split(text, left - 1)[0] : "";
    if (left > 0) kept.push(restyled(span, `${head}…`));
    break;
  }
  return kept;
}

export const screenLayout: Layout = { wrap, wrapText, clip };

function wrapWords(line: Line, width: number): Line[] {
  const lines: Span[][] = [[]];
  let used = 0;
  let word: Span[] = [];
  let wordWidth = 0;
  const place = () => {
    if (wordWidth === 0) return;
    if (used > 0 && used + wordWidth > width) {
      trimEnd(lines.at(-1) as Span[]);
      lines.push([]);
      used = 0;
    }
    if (wordWidth <= width) {
      (lines.at(-1) as Span[]).push(...word);
      used += wordWidth;
    } else {
      const pieces = wrapWidth(word, width);
      (lines.at(-1) as Span[]).push(...(pieces[0] ?? []));
      for (const piece of pieces.slice(1)) lines.push([...piece]);
      used = (lines.at(-1) as Span[]).reduce((sum, span) => sum + widthOf(textOf(span)), 0);
    }
    word = [];
    wordWidth = 0;
  };
  for (const span of line) {
    const text = textOf(span);
    for (const piece of text.match(WORDS) ?? []) {
      if (piece.trim() !== "") {
        word.push(restyled(span, piece));
        wordWidth += widthOf(piece);
        continue;
      }
      place();
      const blank = widthOf(piece);
      const isStart = used === 0 && lines.length > 1;
      if (used + blank < width && !isStart) {
        (lines.at(-1) as Span[]).push(restyled(span, piece));
        used += blank;
      } else if (used > 0) used = width;
    }
  }
  place();
  return lines;
}

function trimEnd(line: Span[]): void {
  const last = line.at(-1);
  if (last !== undefined && textOf(last).trim() === "") line.pop();
}

function wrapWidth(line: Line, width: number): Line[] {
  const lines: Span[][] = [[]];
  let left = width;
  for (const span of line) {
    let text = textOf(span);
    while (text !== "") {
      const [head, tail] = split(text, left);
      if (head === "" && left < width) {
        lines.push([]);
        left = width;
        continue;
      }
      // A character that is wider than the screen is not split.
      const piece = head === "" ? text : head;
      (lines.at(-1) as Span[]).push(restyled(span, piece));
      left -= widthOf(piece);
      text = head === "" ? "" : tail;
      if (text !== "") {
        lines.push([]);
        left = width;
      }
    }
  }
  return lines;
}

/** Splits a text after at most `width` columns. Graphemes are not split. */
function split(text: string, width: number): readonly [head: string, tail: string] {
  if (ASCII.test(text)) return [text.slice(0, width), text.slice(width)];
  let taken = 0;
  for (const { segment, index } of graphemes.segment(text)) {
    taken += widthOf(segment);
    if (taken > width) return [text.slice(0, index), text.slice(index)];
  }
  return [text, ""];
}
