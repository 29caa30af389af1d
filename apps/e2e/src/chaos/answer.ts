/** The prompt of turn `n`, and the answer by which it is found again. */
export const promptOf = (turn: number): string => `[ask ${turn}]`;

/** The pieces of the answer to a prompt. */
export function piecesOf(prompt: string): readonly string[] {
  const pieces = 2 + (prompt.length % 5) + (Number(/\d+/.exec(prompt)?.[0] ?? 0) % 4);
  return [`<${prompt}`, ...Array.from({ length: pieces }, (_, piece) => ` ${piece}`), ` ${prompt}>`];
}
