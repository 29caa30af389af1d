/**
 * Maximum depth of a JSON text: of lists and objects inside of each other. `JSON.parse` takes up to 2 µs for each level, so that a text
 * of 10 MB could stop the process for 10 s.
 */
const MAX_DEPTH = 1_000;

/** Description of a text that is nested too deeply, for error messages. */
export const deepText = `more than ${MAX_DEPTH} lists or objects inside of each other`;

const code = { quote: 0x22, backslash: 0x5c, open: 0x7b, close: 0x7d, lowerCase: 0x20 } as const;

/** Returns `true` if a JSON text is nested more than 1 000 levels deep. Texts of up to 1 000 characters are not read. */
export function isDeep(text: string): boolean {
  // Each level takes a bracket. The search for brackets is ten times faster than the count of levels.
  if (text.length <= MAX_DEPTH || (isRare("[", text) && isRare("{", text))) return false;
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    // The bit maps `[` to `{`, and `]` to `}`.
    const bracket = unit | code.lowerCase;
    if (unit === code.quote) at = endOfString(text, at + 1);
    else if (bracket === code.open) {
      depth += 1;
      if (depth > MAX_DEPTH) return true;
    } else if (bracket === code.close) depth -= 1;
  }
  return false;
}

/** Returns `true` if a text has at most 500 of these brackets. */
function isRare(bracket: string, text: string): boolean {
  let count = 0;
  for (let at = text.indexOf(bracket); at >= 0; at = text.indexOf(bracket, at + 1)) {
    count += 1;
    if (count > MAX_DEPTH / 2) return false;
  }
  return true;
}

/** Returns the index of the quote that ends a string, or the end of the text. */
function endOfString(text: string, from: number): number {
  for (let at = text.indexOf('"', from); at >= 0; at = text.indexOf('"', at + 1)) {
    let start = at;
    while (start > from && text.charCodeAt(start - 1) === code.backslash) start -= 1;
    // An odd number of backslashes escapes the quote.
    if ((at - start) % 2 === 0) return at;
  }
  return text.length;
}
