export type Numbers = (limit: number) => number;

/** Returns a generator of numbers below a limit, the same numbers for each seed. */
export function numbers(seed: number): Numbers {
  let state = seed * 2_654_435_761;
  return (limit) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0;
    return (state >>> 8) % limit;
  };
}

export const kinds = [
  ...(["words", "paragraphs", "list", "numbers", "code", "quote", "table", "wide", "styles", "mix"] as const),
  ...(["question", "call", "typed"] as const),
] as const;
export type Kind = (typeof kinds)[number];

/** Returns a Markdown text whose words differ. */
export function markdownOf(kind: Kind, below: Numbers, words: readonly string[]): string {
  const left = [...words];
  const some = (count: number) => left.splice(0, count).join(" ");
  let text = "";
  while (left.length > 0) {
    const one =
      kind === "mix"
        ? (["paragraphs", "list", "numbers", "code", "quote", "table", "styles"] as const)[below(7)]
        : kind;
    switch (one) {
      case "words":
        text += `${some(left.length)} `;
        break;
      case "list":
        for (let n = 2 + below(6); n > 0 && left.length > 0; n -= 1) text += `- ${some(1 + below(12))}\n`;
        text += "\n";
        if (kind === "list") text += "Then:\n\n";
        break;
      case "numbers":
        for (let n = 1; n < 5 + below(6) && left.length > 0; n += 1) text += `${n}. ${some(1 + below(12))}\n`;
        text += "\nThen:\n\n";
        break;
      case "code":
        text += "```ts\n";
        for (let n = 3 + below(12); n > 0 && left.length > 0; n -= 1)
          text += `${" ".repeat(below(3) * 2)}${some(1 + below(below(4) ? 4 : 20))}\n`;
        text += "```\n\n";
        break;
      case "quote":
        for (let n = 1 + below(3); n > 0 && left.length > 0; n -= 1) text += `> ${some(3 + below(20))}\n>\n`;
        text += "\n";
        break;
      case "table": {
        const columns = 2 + below(2);
        text += `|${" h |".repeat(columns)}\n|${"---|".repeat(columns)}\n`;
        for (let n = 2 + below(8); n > 0 && left.length > 0; n -= 1) {
          text += `|${Array.from({ length: columns }, () => ` ${some(1 + below(3))} |`).join("")}\n`;
        }
        text += "\n";
        break;
      }
      case "styles":
        for (let n = 3 + below(5); n > 0 && left.length > 0; n -= 1) {
          const style = below(5);
          const part = some(1 + below(4));
          text +=
            style === 0
              ? `**${part}** `
              : style === 1
                ? `\`${part}\` `
                : style === 2
                  ? `${part} `
                  : style === 3
                    ? `[${part}](https://a.example) `
                    : `*${part}* `;
        }
        text += "\n\n";
        break;
      default:
        text += `${some(5 + below(30))}\n\n`;
    }
  }
  return text;
}
