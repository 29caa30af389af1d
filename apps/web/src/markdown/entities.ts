/** Entities that models write. Other entities are shown as source text. */
const NAMED: Readonly<Record<string, string>> = {
  ...{ amp: "&", lt: "<", gt: ">", quot: '"', apos: "'", nbsp: "\u00a0", copy: "©", reg: "®", trade: "™" },
  ...{ hellip: "…", mdash: "—", ndash: "–", lsquo: "‘", rsquo: "’", ldquo: "“", rdquo: "”", laquo: "«", raquo: "»" },
  ...{ larr: "←", rarr: "→", uarr: "↑", darr: "↓", times: "×", middot: "·", bull: "•", deg: "°", euro: "€" },
  ...{ colon: ":", sol: "/", Tab: "\t", NewLine: "\n", lpar: "(", rpar: ")", ne: "≠", le: "≤", ge: "≥" },
};

const ENTITY = /&(?:#[xX]([\da-fA-F]{1,6})|#(\d{1,7})|([A-Za-z]{2,8}));/g;

/** Returns a text of Markdown with the characters that its entities stand for. The result is text, never markup. */
export function withoutEntities(text: string): string {
  if (!text.includes("&")) return text;
  return text.replace(ENTITY, (whole, hex?: string, decimal?: string, name?: string) => {
    if (name !== undefined) return (Object.hasOwn(NAMED, name) ? NAMED[name] : undefined) ?? whole;
    const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
    const isCharacter = code > 0 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff);
    return isCharacter ? String.fromCodePoint(code) : "\ufffd";
  });
}
