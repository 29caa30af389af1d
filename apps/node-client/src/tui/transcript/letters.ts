import { type Line, plainText, restyled, textOf } from "../../render/line.js";

/**
 * Characters that may differ if the same text is wrapped at another width, or grows: blanks, bars, and the marks of
 * a style or a link whose end is missing.
 */
const LAYOUT = /[\s│|*_`~[\]()\\]/;

/** Returns the characters of lines that stay the same at every width. */
export function lettersOf(lines: readonly Line[]): string {
  let letters = "";
  for (const line of lines) for (const char of plainText(line)) if (!LAYOUT.test(char)) letters += char;
  return letters;
}

/**
 * Removes a text from the beginning of lines. If the lines are shorter than the text, also returns the rest of the
 * text. Lines that begin with another text are unchanged.
 */
export function withoutLetters(
  lines: readonly Line[],
  letters: string,
): { readonly lines: readonly Line[]; readonly rest: string } {
  let rest = letters;
  for (const [index, line] of lines.entries()) {
    if (rest === "") return { lines: lines.slice(index), rest };
    const own = lettersOf([line]);
    if (rest.startsWith(own)) rest = rest.slice(own.length);
    else if (own.startsWith(rest)) return { lines: [tailOf(line, rest.length), ...lines.slice(index + 1)], rest: "" };
    else return { lines: lines.slice(index), rest: "" };
  }
  return { lines: [], rest };
}

/** Returns the part of a line that follows a number of letters and the blanks after them. */
function tailOf(line: Line, count: number): Line {
  let left = count;
  let isBegun = false;
  return line.flatMap((span) => {
    const text = textOf(span);
    let at = 0;
    for (; at < text.length && left > 0; at += 1) if (!LAYOUT.test(text.charAt(at))) left -= 1;
    const tail = isBegun ? text : text.slice(at).trimStart();
    isBegun ||= tail !== "";
    return tail === "" ? [] : [tail === text ? span : restyled(span, tail)];
  });
}
