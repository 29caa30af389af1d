/** Largest header of a Markdown file, in characters. A longer header counts as text. */
const MAX_HEADER = 16_384;

/** Header of a Markdown file, between two lines of `---`, and the text after it. */
export type Markdown = { readonly header: Readonly<Record<string, string | boolean>>; readonly body: string };

/**
 * Reads a Markdown file with an optional header. The header may have these forms of YAML; other lines are left out:
 *
 * - `key: text`, also with a colon in the text, in quotes, or continued on indented lines
 * - `key: >` and `key: |` with indented lines after it
 * - `key: true` and `key: false`
 */
export function readMarkdown(text: string): Markdown {
  const lines = text.replace(/^\ufeff/, "").split(/\r?\n/);
  const end = lines.findIndex((line, at) => at > 0 && line.trimEnd() === "---");
  const header = lines.slice(1, Math.max(end, 1));
  const isHeader = lines[0]?.trimEnd() === "---" && end > 0 && header.join("\n").length <= MAX_HEADER;
  if (!isHeader) return { header: {}, body: text.trim() };
  return {
    header: readHeader(header),
    body: lines
      .slice(end + 1)
      .join("\n")
      .trim(),
  };
}

function readHeader(lines: readonly string[]): Markdown["header"] {
  const values = new Map<string, string | boolean>();
  for (let at = 0; at < lines.length; ) {
    const [, key, first = ""] = /^([\w-]+):(?:[ \t]+(.*))?$/.exec(lines[at] ?? "") ?? [];
    at += 1;
    const more: string[] = [];
    while (/^[ \t]|^$/.test(lines[at] ?? "-")) more.push((lines[at++] ?? "").trim());
    const value = readValue(first.trim(), more);
    if (key !== undefined && value !== undefined) values.set(key, value);
  }
  return Object.fromEntries(values);
}

/** Returns the value of a key, from the text behind it and the indented lines after it. */
function readValue(first: string, more: readonly string[]): string | boolean | undefined {
  if (/^\|[-+]?$/.test(first)) return more.join("\n").trim();
  if (/^>[-+]?$/.test(first)) return folded(more);
  // The value is a list, or contains a further level of keys.
  if (first === "") return undefined;
  const text = folded([first, ...more]);
  if (text === "true" || text === "false") return text === "true";
  const [, double, single] = /^(?:"(.*)"|'(.*)')$/.exec(text) ?? [];
  if (double !== undefined) return double.replace(/\\(["\\])/g, "$1");
  if (single !== undefined) return single.replaceAll("''", "'");
  const comment = text.search(/[ \t]#/);
  return comment < 0 ? text : text.slice(0, comment).trimEnd();
}

const folded = (lines: readonly string[]): string => lines.filter((line) => line !== "").join(" ");
