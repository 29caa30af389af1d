/**
 * Returns a text from outside on one line, for an answer or a model. Control characters, invisible characters and ends of
 * lines become `mark`. A text of more than `most` characters is cut.
 */
export function plainLine(text: string, most: number, mark = "�"): string {
  // The text is cut first, so that the work is small for a text of any length.
  const start = [...text.slice(0, 2 * most)];
  const isCut = start.length > most || text.length > 2 * most;
  const line = start
    .slice(0, most)
    .join("")
    .replace(/[\p{C}\p{Zl}\p{Zp}]/gu, mark);
  return isCut ? `${line}…` : line;
}
