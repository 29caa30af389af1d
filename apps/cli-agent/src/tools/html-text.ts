/** What a browser would not show, as a whole. */
const HIDDEN = /<(script|style|noscript|template|svg|head)\b[^>]*>[\s\S]*?<\/\1\s*>|<!--[\s\S]*?-->|<![^>]*>/gi;
/** Elements that begin a line of their own. */
const BLOCK =
  /<\/?(?:p|div|section|article|main|header|footer|nav|aside|ul|ol|table|tr|h[1-6]|pre|blockquote|form|dl|dt|dd|figure)\b[^>]*>/gi;

const ENTITIES: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  nbsp: " ",
  ndash: "–",
  mdash: "—",
  hellip: "…",
  copy: "©",
  lsquo: "‘",
  rsquo: "’",
  ldquo: "“",
  rdquo: "”",
};

/** The text of an HTML page for a model to read: no markup, links with their addresses, one paragraph a line. */
export function htmlText(html: string): string {
  const title = /<title[^>]*>([\s\S]{0,500}?)<\/title\s*>/i.exec(html)?.[1];
  const body = html
    .replace(HIDDEN, " ")
    .replace(/\s+/g, " ")
    .replace(/<a\b[^>]*?\bhref\s*=\s*["']?(https?:[^"'\s>]{1,500})["']?[^>]*>([\s\S]{0,2000}?)<\/a\s*>/gi, "$2 ($1)")
    .replace(/<li\b[^>]*>/gi, "\n- ")
    .replace(/<br\b[^>]*>/gi, "\n")
    .replace(BLOCK, "\n")
    .replace(/<[^>]*>/g, "");
  const lines = `${title ?? ""}\n${body}`.split("\n").map((line) => decode(line).replace(/\s+/g, " ").trim());
  return lines.filter((line) => line !== "").join("\n");
}

function decode(text: string): string {
  return text.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|(\w{2,10}));/gi, (whole, decimal, hex, name) => {
    if (name !== undefined) return ENTITIES[name.toLowerCase()] ?? whole;
    const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal);
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
}
