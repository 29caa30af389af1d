const names: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

/**
 * Returns a text of an agent without control characters, because these could change a terminal, or reverse other text.
 */
export function printable(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, (character) => (character === "\t" ? " " : "\ufffd"));
}

/**
 * Returns a value as indented JSON with a line end. Control characters that JSON allows, and a terminal obeys, are written as
 * `\\u…`. The value stays the same.
 */
export function printableJson(value: object): string {
  const text = JSON.stringify(value, null, 2).replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, (character) =>
    character === "\n" ? character : [...Array(character.length).keys()].map((at) => escaped(character, at)).join(""),
  );
  return `${text}\n`;
}

const escaped = (text: string, at: number): string => `\\u${text.charCodeAt(at).toString(16).padStart(4, "0")}`;

/**
 * Returns a text for HTML and XML, also inside of an attribute. Control characters except line ends and tabs, and characters that
 * XML does not allow, become U+FFFD.
 */
export function escapeMarkup(text: string): string {
  return text
    .replace(/[^\t\n\r -~]+/g, printable)
    .replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, "\ufffd")
    .replace(/[&<>"']/g, (character) => names[character] as string);
}

/** Returns a text for one line. */
function oneLine(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}

/** Returns the escaped text as one line of HTML or XML. */
export function escapedLine(text: string): string {
  return escapeMarkup(oneLine(text));
}
