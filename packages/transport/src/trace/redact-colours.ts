/** Pattern for escape sequences of a terminal. In source code and JSON, the first character is itself an escape. */
const esc = String.raw`[${"\u001b\u009b"}]|\\{1,15}(?:u001b|x1b|033|e(?=\[))`;
const sequence = new RegExp(String.raw`(?:${esc})(?:\[[\d:;<=>?]{0,48}[ -/]{0,2}[@-~]|[()][A-Z0-9])`, "gi");
const beginning = new RegExp(esc, "i");

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
  for (const { index, 0: all } of text.matchAll(sequence)) {
    parts.push(text.slice(done, index));
    length += index - done;
    done = index + all.length;
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
