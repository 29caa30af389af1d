/**
 * Maximum depth of nested lists and objects in a JSON text. `JSON.parse` takes up to 2 µs for each level, so that a text
 * of 10 MB could stop the process for 10 s.
 */
const MAX_DEPTH = 1_000;

/**
 * Maximum number of values in a received JSON text: of texts, numbers, lists and so on. `JSON.parse` takes up to 2 µs for each value, so
 * that 16 MiB of empty lists could stop the process for 8 s.
 */
const MAX_VALUES = 200_000;

/** The same for a text to send. The difference is for values that a server or a proxy adds, such as a cursor. */
const MAX_SENT_VALUES = 199_000;

const code = { quote: 0x22, comma: 0x2c, backslash: 0x5c, open: 0x7b, close: 0x7d, lowerCase: 0x20 } as const;

/**
 * Returns the bound that a received JSON text exceeds, and the remedy. Texts of up to 1 000 characters, and texts without many brackets
 * or values, are not read to their end.
 */
// M11
export const receivedExcess = (text: string): string | undefined => excessOf(text, MAX_VALUES);

/** Returns the bound that a JSON text to send exceeds, and the remedy. */
export const sentExcess = (text: string): string | undefined => excessOf(text, MAX_SENT_VALUES);

function excessOf(text: string, mostValues: number): string | undefined {
  // Each level takes a bracket, and each value two characters. The search for brackets is ten times faster than the count of levels.
  const mayBeDeep = text.length > MAX_DEPTH && !(isRare("[", text) && isRare("{", text));
  if (!mayBeDeep && text.length <= mostValues * 2) return undefined;
  let depth = 0;
  let values = 1;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    // The bit maps `[` to `{`, and `]` to `}`.
    const bracket = unit | code.lowerCase;
    if (unit === code.quote) at = endOfString(text, at + 1);
    else if (unit === code.comma) values += 1;
    else if (bracket === code.open) {
      depth += 1;
      if ((text.charCodeAt(at + 1) | code.lowerCase) !== code.close) values += 1;
      if (depth > MAX_DEPTH) return tooMany(MAX_DEPTH, "lists or objects inside of each other");
    } else if (bracket === code.close) depth -= 1;
    if (values > mostValues) return tooMany(mostValues, "values");
  }
  return undefined;
}

const tooMany = (most: number, what: string) =>
  `it has more than ${most} ${what}. Send fewer, or a text in their place`;

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
