/**
 * Characters that a browser draws as nothing, or that change the order of the others: control characters, soft hyphens,
 * zero-width characters, directional controls, tags and fillers.
 */
const HIDDEN =
  /\p{Cc}|\p{Cs}|\p{Default_Ignorable_Code_Point}|[\u2028\u2029\u202a-\u202e\u2066-\u2069\u2800\ufff0-\ufffb]/gu;

/**
 * Returns a text in which hidden characters can be seen, such as `⟨U+202E⟩`. Use it if a decision of a person depends
 * on the text. Line breaks and tabs stay.
 */
export function visibleText(text: string): string {
  return text.replace(HIDDEN, (char) => {
    if (char === "\n" || char === "\t") return char;
    const code = char.codePointAt(0) as number;
    return `⟨U+${code.toString(16).toUpperCase().padStart(4, "0")}⟩`;
  });
}
