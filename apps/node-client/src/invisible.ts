/**
 * Invisible characters: all characters with the property Default_Ignorable_Code_Point of Unicode, line separators,
 * annotations, and the empty pattern of Braille. Soft hyphens, bidirectional controls, zero-width characters, variation
 * selectors, tags and fillers are among them. Each pair contains the first and the last code point of a range.
 */
const ranges: readonly (readonly [first: number, last: number])[] = [
  [0x00ad, 0x00ad],
  [0x034f, 0x034f],
  [0x061c, 0x061c],
  [0x115f, 0x1160],
  [0x17b4, 0x17b5],
  [0x180b, 0x180f],
  [0x200b, 0x200f],
  [0x2028, 0x202e],
  [0x2060, 0x206f],
  [0x2800, 0x2800],
  [0x3164, 0x3164],
  [0xfe00, 0xfe0f],
  [0xfeff, 0xfeff],
  [0xffa0, 0xffa0],
  [0xfff0, 0xfffb],
  [0x1bca0, 0x1bca3],
  [0x1d173, 0x1d17a],
  [0xe0000, 0xe0fff],
];

export function isInvisible(code: number): boolean {
  if (code < 0xad || (code > 0x206f && code < 0x2800) || (code > 0x3164 && code < 0xfe00)) return false;
  return ranges.some(([first, last]) => code >= first && code <= last);
}

/** The same code points, in the form of a character class in a regular expression with the flag `u`. */
export const invisibleClass: string = ranges
  .map((range) => range.map((code) => `\\u{${code.toString(16)}}`).join("-"))
  .join("");
