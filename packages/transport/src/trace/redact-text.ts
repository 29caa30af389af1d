import { findAssigned } from "./redact-assigned.js";
import { hasColours, withoutColours } from "./redact-colours.js";
import { forms } from "./redact-forms.js";
import { Marks } from "./redact-marks.js";
import { type Form, Scan, startsWord } from "./redact-scan.js";
import { REDACTED, type SecretRange } from "./redact-values.js";

/** Forms by their marks. Most texts have few marks, so that few forms are searched. */
let marked: Marks<Form> | undefined;

/**
 * Returns the forms that a text can contain, also after replacements in the text. The replacement of a secret has no mark.
 */
function formsIn(text: string): readonly Form[] {
  // Made at the first use: many programs never redact.
  marked ??= new Marks(forms);
  return marked.in(text);
}

/** Minimum length of a given secret, in characters. Shorter texts also occur in ordinary text. */
const minSecret = 4;

/**
 * Longest text that is examined, in UTF-16 units. The rest of a longer text is removed, with the last word before it.
 */
const maxText = 8 * 1024 * 1024;

/**
 * Returns a text without likely secrets:
 *
 * - keys and tokens of known forms
 * - passwords in URLs, headers and command lines
 * - values whose name is that of a secret, in flags, variables, query parameters, JSON, YAML and TOML
 * - the texts in `secrets`, at any place
 *
 * A secret that has no such name or form stays in the text, unless `secrets` contains it. The time grows linearly with
 * the length of the text. After 8 Mi UTF-16 units, the text is cut and ends with a note.
 */
export function redactText(text: string, secrets: readonly string[] = []): string {
  if (text.length > maxText) return cut(text, secrets);
  let safe = text;
  for (const secret of secrets) {
    // Otherwise, a part of the replacement would be replaced again.
    if (secret.length >= minSecret && !REDACTED.includes(secret)) safe = safe.replaceAll(secret, REDACTED);
  }
  for (const form of formsIn(safe)) safe = redactForm(safe, form);
  return hasColours(safe) ? redactBare(safe) : redactAssigned(safe);
}

/** Redacts a text with escape sequences for a terminal as if the sequences were not there. */
function redactBare(text: string): string {
  const { bare, original } = withoutColours(text);
  const places: SecretRange[] = [];
  // A colour may stand before the name of a program, or inside a token.
  for (const form of formsIn(bare)) findForm(bare, form, (place) => places.push(place));
  findAssigned(bare, (place) => places.push(place));
  places.sort((one, other) => one.from - other.from);
  return withoutPlaces(text, (found) => {
    let done = 0;
    for (const { from, to } of places) {
      if (to <= done) continue;
      const start = original(Math.max(from, done));
      found({ from: start, to: original(to - 1) + 1 });
      done = to;
    }
  });
}

/**
 * Redacts the beginning of a text that is too long. The cut may split a secret, and the rest of a secret cannot be
 * recognised.
 */
function cut(text: string, secrets: readonly string[]): string {
  const longest = Math.max(4096, ...secrets.map(({ length }) => length));
  const tail = /\s\S*$/.exec(text.slice(maxText - 4096, maxText));
  const end = Math.max(0, maxText - (tail === null || longest > 4096 ? longest : 4096 - tail.index));
  return `${redactText(text.slice(0, end), secrets)}[${text.length - end} characters left out]`;
}

function redactForm(text: string, form: Form): string {
  return withoutPlaces(text, (found) => findForm(text, form, found));
}

/** Calls `found` with the position of each secret of a form. */
function findForm(text: string, form: Form, found: (place: SecretRange) => void): void {
  const { find, keep, isWord, program, reach = 300, end } = form;
  const scan = new Scan(text);
  find.lastIndex = 0;
  for (let match = find.exec(text); match !== null; match = find.exec(text)) {
    const length = (keep === "match" ? match[0] : match[1])?.length ?? 0;
    const from = match.index + (keep === "nothing" && length > 0 ? 1 - length : length);
    if (isWord && !startsWord(text, Math.min(from, match.index))) {
      find.lastIndex = match.index + 1;
      continue;
    }
    if (program !== undefined && !scan.isBehind(program, match.index, reach)) continue;
    const stop = end(scan, find.lastIndex, match);
    find.lastIndex = Math.abs(stop);
    if (stop >= 0) found({ from, to: stop });
  }
}

/** Replaces the places that `find` reports, in rising order. */
function withoutPlaces(text: string, find: (found: (place: SecretRange) => void) => void): string {
  const parts: string[] = [];
  let done = 0;
  find(({ from, to }) => {
    parts.push(text.slice(done, from));
    done = to;
  });
  if (parts.length === 0) return text;
  parts.push(text.slice(done));
  return parts.join(REDACTED);
}

function redactAssigned(text: string): string {
  return withoutPlaces(text, (found) => findAssigned(text, found));
}
