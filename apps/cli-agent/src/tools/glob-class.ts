/** Names of character classes in a bracket expression, as in `[[:alpha:]]`. */
const named: ReadonlyMap<string, RegExp> = new Map([
  ["alnum", /[0-9A-Za-z]/],
  ["alpha", /[A-Za-z]/],
  ["blank", /[ \t]/],
  // biome-ignore lint/suspicious/noControlCharactersInRegex: that is what the class holds
  ["cntrl", /[\0-\x1f\x7f]/],
  ["digit", /[0-9]/],
  ["graph", /[!-~]/],
  ["lower", /[a-z]/],
  ["print", /[ -~]/],
  ["punct", /[!-/:-@[-`{-~]/],
  ["space", /[ \t-\r]/],
  ["upper", /[A-Z]/],
  ["xdigit", /[0-9A-Fa-f]/],
]);

export type CharacterTest = (char: string) => boolean;

/**
 * Reads a bracket expression, such as `[a-z]`, `[!x]` or `[[:digit:]]`, by the rules of Git. No class contains a slash.
 *
 * @param from index after the `[`
 * @returns the class; `undefined` if the expression has no end, or contains an unknown class
 */
export function readClass(
  chars: readonly string[],
  from: number,
): { readonly test: CharacterTest; readonly end: number } | undefined {
  let at = from;
  const isNegated = chars[at] === "!" || chars[at] === "^";
  if (isNegated) at++;
  const ranges: (readonly [low: string, high: string])[] = [];
  const classes: RegExp[] = [];
  /** Start of a range, if a dash may follow. */
  let low: string | undefined;
  // The first character belongs to the class, even if it is a closing bracket.
  do {
    const char = chars[at];
    if (char === undefined) return undefined;
    const next = chars[at + 1];
    if (char === "-" && low !== undefined && next !== undefined && next !== "]") {
      at += next === "\\" ? 2 : 1;
      const high = chars[at];
      if (high === undefined) return undefined;
      ranges.push([low, high]);
      low = undefined;
    } else if (char === "[" && next === ":") {
      const close = chars.indexOf("]", at + 2);
      if (close < 0) return undefined;
      if (close > at + 2 && chars[close - 1] === ":") {
        const one = named.get(chars.slice(at + 2, close - 1).join(""));
        if (one === undefined) return undefined;
        classes.push(one);
        low = undefined;
        at = close;
      } else {
        ranges.push([char, char]);
        low = char;
      }
    } else {
      if (char === "\\") at++;
      low = chars[at];
      if (low === undefined) return undefined;
      ranges.push([low, low]);
    }
    at++;
  } while (chars[at] !== "]");
  const isMember = (char: string) =>
    ranges.some(([first, last]) => isWithin(char, first, last)) || classes.some((one) => one.test(char));
  return { test: (char) => char !== "/" && isMember(char) !== isNegated, end: at + 1 };
}

function isWithin(char: string, low: string, high: string): boolean {
  const code = codeOf(char);
  return codeOf(low) <= code && code <= codeOf(high);
}

function codeOf(char: string): number {
  return char.codePointAt(0) ?? 0;
}
