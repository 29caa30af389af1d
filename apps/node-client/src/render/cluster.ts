import { eastAsianWidth } from "get-east-asian-width";

/**
 * Characters that extend the character before them. `Intl.Segmenter` would find the same borders, but it copies the
 * text for each search, and takes some microseconds for each character.
 */
const EXTENDS = /\p{M}|\p{Emoji_Modifier}|[\u1160-\u11ff]|\u200c|\u200d|[\u{e0020}-\u{e007f}]/u;
/** Control characters, marks and invisible characters. They have no width. */
const NO_WIDTH =
  /\p{Cc}|\p{Default_Ignorable_Code_Point}|[\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]/u;
const PICTURE = /\p{Extended_Pictographic}/u;
const JOINER = 0x200d;
/** Below this code, only the soft hyphen extends another character. The soft hyphen has no width. */
const FIRST_EXTENDING = 0x300;

const isFlagLetter = (code: number) => code >= 0x1f1e6 && code <= 0x1f1ff;
const lengthOf = (code: number) => (code > 0xffff ? 2 : 1);

/**
 * Returns a function that computes a small number for each code point and stores the result. The results are in pages
 * of 256 code points, which are created on first use.
 */
function remembered(compute: (char: string) => number): (code: number) => number {
  const pages: Uint8Array[] = [];
  return (code) => {
    pages[code >> 8] ??= new Uint8Array(256);
    const page = pages[code >> 8] as Uint8Array;
    const before = page[code & 255] ?? 0;
    if (before > 0) return before - 1;
    const value = compute(String.fromCodePoint(code));
    page[code & 255] = value + 1;
    return value;
  };
}

const extendsOther = remembered((char) => (EXTENDS.test(char) ? 1 : 0));
const widthOfCode = remembered((char) => (NO_WIDTH.test(char) ? 0 : eastAsianWidth(char.codePointAt(0) ?? 0)));

/** Returns the end of the visible character that starts at `at`. A visible character may have several code points. */
export function clusterEnd(text: string, at: number): number {
  const code = text.codePointAt(at) ?? 0;
  let end = at + lengthOf(code);
  if (!(text.charCodeAt(end) >= FIRST_EXTENDING)) return end;
  if (isFlagLetter(code) && isFlagLetter(text.codePointAt(end) ?? 0)) return end + 2;
  for (let next = text.codePointAt(end); next !== undefined && extendsOther(next) === 1; next = text.codePointAt(end)) {
    end += lengthOf(next);
    const joined = next === JOINER ? text.codePointAt(end) : undefined;
    if (joined !== undefined && PICTURE.test(String.fromCodePoint(joined))) end += lengthOf(joined);
  }
  return end;
}

/** Returns the start of the visible character that ends at `at`. Only the end of a line is read. */
export function clusterStart(text: string, at: number): number {
  let from = Math.max(0, at - 64, text.lastIndexOf("\n", at - 1));
  for (let end = clusterEnd(text, from); end < at; end = clusterEnd(text, from)) from = end;
  return from;
}

function clusterWidth(text: string, from: number, to: number): number {
  const code = text.codePointAt(from) ?? 0;
  const width = widthOfCode(code);
  if (to - from === lengthOf(code)) return width;
  if (isFlagLetter(code) || text.charCodeAt(to - 1) === 0x20e3) return 2;
  return width < 2 && text.charCodeAt(from + lengthOf(code)) === 0xfe0f && PICTURE.test(text.charAt(from)) ? 2 : width;
}

export type Fit = { readonly end: number; readonly width: number };

/** Returns the end and the width of the longest text from `from` that fits into `room` columns. */
export function fit(text: string, from: number, room: number): Fit {
  let width = 0;
  let at = from;
  while (at < text.length) {
    const end = clusterEnd(text, at);
    const wider = width + (end === at + 1 && text.charCodeAt(at) < 0x7f ? 1 : clusterWidth(text, at, end));
    if (wider > room) break;
    width = wider;
    at = end;
  }
  return { end: at, width };
}
