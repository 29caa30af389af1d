import { nestedMarks } from "@turnkit/web/nesting";

/**
 * Time that the parser needs for a special character such as a line end or a colon, in microseconds. Other characters
 * cost nothing.
 */
const costs = new Uint8Array(128);
for (const [chars, cost] of [
  ["\n", 16],
  [":", 8],
  ["@", 4],
  ["[*_~`<!\\&|", 1],
] as const) {
  for (const char of chars) costs[char.charCodeAt(0)] = cost;
}

/** Time that the parser needs for a list or quote that begins inside of another one, in microseconds. */
const NESTED_COST = 100;

/** Returns the longest time that the parser may need for a text, in microseconds. */
export function costOf(text: string): number {
  let sum = NESTED_COST * nestedMarks(text);
  for (let at = 0; at < text.length; at++) sum += costs[text.charCodeAt(at)] ?? 0;
  return sum;
}

/**
 * Maximum cost of one message. It is reached with about 3000 lines. The rest of the message is shown as source text.
 */
export const MAX_COST = 48_000;

/**
 * Maximum cost of all texts of one message that are parsed, in microseconds. An unfinished block is parsed again after
 * each of its lines and for each frame. The rest of the message is shown as source text.
 */
export const MAX_WORK = 4_000_000;

/** Cost of an unfinished block of code that is parsed again, compared with other blocks. */
export const CODE_SHARE = 1 / 16;

/** Maximum number of brackets and marks in the text of a block. A text with more of them is shown as source text. */
const MAX_MARKS = 100;

/**
 * Returns `true` if a text has too many marks. The parser compares each mark with each other mark, so it would take
 * long.
 */
export function isDense(text: string): boolean {
  let marks = 0;
  for (const _ of text.matchAll(/[[*_~`<!\\]/g)) {
    marks += 1;
    if (marks > MAX_MARKS) return true;
  }
  return false;
}
