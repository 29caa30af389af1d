/** Lines of one round of the answer: prose, a list, code. */
const round = [
  "## Part NUMBER\n\n",
  ...Array.from({ length: 20 }, (_, n) => `Sentence ${n} says something **bold** of \`code\` and of much else. `),
  "\n\n",
  ...Array.from({ length: 10 }, (_, n) => `- item ${n} with [a link](https://example.com/${n})\n`),
  "\n```ts\n",
  ...Array.from({ length: 15 }, (_, n) => `const value${n} = compute(${n}, "text");\n`),
  "```\n\n",
];

/** Pieces after which it begins anew. */
export const piecesOfARound = round.length;

/** The piece of a number; all together are Markdown as models write it. */
export function chattyText(n: number): string {
  return (round[n % round.length] as string).replace("NUMBER", String(Math.floor(n / round.length)));
}
