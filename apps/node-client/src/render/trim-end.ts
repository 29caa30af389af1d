/** Returns a text without the repetitions of a character at its end. An expression with `+$` would try each repetition. */
export function trimEndOf(text: string, character: string): string {
  let end = text.length;
  while (end > 0 && text[end - 1] === character) end -= 1;
  return text.slice(0, end);
}
