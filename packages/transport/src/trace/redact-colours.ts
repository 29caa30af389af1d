/** Control characters that start an escape sequence of a terminal, and their names in source code and JSON. */
const controls = "\u001b\u009b";
const names = String.raw`(?:u001b|x1b|033|e(?=\[))`;
const esc = String.raw`[${controls}]|\\${names}`;
/** Link or title. It ends with the character of a bell, or with an escape and a backslash. */
const link = String.raw`\][^${"\u0007\u001b"}\\]{0,400}(?:${"\u0007"}|\\{1,15}u0007|(?:[${controls}]|\\{1,15}${names})\\{1,15})`;
const sequence = new RegExp(String.raw`(?:${esc})(?:\[[\d:;<=>?]{0,48}[ -/]{0,2}[@-~]|[()][A-Z0-9]|${link})`, "gi");
const beginning = new RegExp(esc, "i");

/** Largest number of backslashes before a name. In JSON in JSON, their number doubles. */
const maxSlashes = 15;

/** Returns `true` if a text may contain colours or other escape sequences. */
export function hasColours(text: string): boolean {
  return beginning.test(text);
}

/**
 * Returns a text without its escape sequences. `original` returns the position of a character in the text before. Its
 * calls must have rising positions.
 */
export function withoutColours(text: string) {
  const parts: string[] = [];
  /** Pairs: the position after a sequence in the bare text, and in the text before. */
  const seams: number[] = [];
  let length = 0;
  let done = 0;
  sequence.lastIndex = 0;
  for (let match = sequence.exec(text); match !== null; match = sequence.exec(text)) {
    const first = text[match.index] === "\\" ? Math.max(done, match.index + 1 - maxSlashes) : match.index;
    let from = match.index;
    while (from > first && text[from - 1] === "\\") from--;
    parts.push(text.slice(done, from));
    length += from - done;
    done = sequence.lastIndex;
    seams.push(length, done);
  }
  parts.push(text.slice(done));
  let next = 0;
  let offset = 0;
  const original = (at: number): number => {
    for (; next < seams.length && (seams[next] as number) <= at; next += 2)
      offset = (seams[next + 1] as number) - (seams[next] as number);
    return at + offset;
  };
  return { bare: parts.join(""), original };
}
