const names: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

/**
 * Returns a text for HTML and XML, also inside of an attribute. Characters that XML does not allow, such as the escape
 * character of terminals, become U+FFFD.
 */
export function escapeMarkup(text: string): string {
  return text
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
