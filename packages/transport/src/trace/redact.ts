import { findAssigned } from "./redact-assigned.js";
import { forms } from "./redact-forms.js";
import { Marks } from "./redact-marks.js";
import { isSecretFlag, isSecretName } from "./redact-names.js";
import { type Form, Scan, startsWord } from "./redact-scan.js";
import { isPlain, REDACTED, type SecretRange } from "./redact-values.js";

export { isSecretName } from "./redact-names.js";
export { REDACTED } from "./redact-values.js";

/** Depth below which every value is redacted without a check. */
const maxDepth = 200;

/** Number of texts of a message that are examined. Further texts are redacted without a check. */
const maxTexts = 20_000;

/**
 * Returns a message without secrets, for logs and bug reports. It redacts:
 *
 * - all values of `env` and `headers`
 * - members, and pairs of name and value, whose name is that of a secret
 * - arguments after flags whose name is that of a secret
 * - in all other texts, everything that `redactText` finds
 *
 * Names are not redacted. The message itself is not changed. The result shares the parts without secrets. After 20 000
 * texts, every further text is redacted.
 */
export function redactSecrets(value: unknown, secrets: readonly string[] = []): unknown {
  let left = maxTexts;
  const clean = (text: string) => {
    if (text === "") return "";
    left -= 1;
    return left < 0 ? REDACTED : redactText(text, secrets);
  };
  return redact(value, clean, 0);
}

type Clean = (text: string) => string;

function redact(value: unknown, clean: Clean, depth: number): unknown {
  if (typeof value === "string") return clean(value);
  if (typeof value !== "object" || value === null) return value;
  if (depth > maxDepth) return REDACTED;
  if (Array.isArray(value)) return redactList(value, clean, depth);
  const isPair = "value" in value && "name" in value && typeof value.name === "string" && isSecretName(value.name);
  return mapMembers(value, (name, member) => {
    if (/^(?:env|environment|headers)$/i.test(name)) return redactNamed(member, clean, depth + 1);
    if (isSecretName(name) || (isPair && name === "value")) return hidden(member, depth + 1);
    return redact(member, clean, depth + 1);
  });
}

const isLogin = /^(?:-u|--(?:proxy-)?user)$/;
const callers = /(?:^|[/\\])(?:curl|wget|https?|xh)(?:\.exe)?$/;

function redactList(list: readonly unknown[], clean: Clean, depth: number): unknown {
  const safe = list.map((item, index) => {
    const before = list[index - 1];
    const isAfterFlag = typeof before === "string" && before.startsWith("-");
    if (!isAfterFlag || typeof item !== "string") return redact(item, clean, depth + 1);
    if (isSecretFlag(before) && !item.startsWith("-") && !isPlain(item, before)) return REDACTED;
    if (isLogin.test(before) && callers.test(String(list[0]))) return item.replace(/:.*$/s, `:${REDACTED}`);
    return clean(item);
  });
  return safe.every((item, index) => item === list[index]) ? list : safe;
}

/**
 * Redacts variables or headers. They are an object of values, pairs of `name` and `value`, or texts of the form
 * `NAME=value`.
 */
function redactNamed(named: unknown, clean: Clean, depth: number): unknown {
  if (!Array.isArray(named)) return hidden(named, depth);
  return named.map((item: unknown) => {
    if (typeof item === "string") return `${item.split(/[=:]/, 1)[0]}=${REDACTED}`;
    if (typeof item !== "object" || item === null) return item;
    return mapMembers(item, (name, member) =>
      name === "name" && typeof member === "string" ? clean(member) : hidden(member, depth + 1),
    );
  });
}

/** Redacts all texts of a value. Numbers and booleans are not secrets. */
function hidden(value: unknown, depth: number): unknown {
  if (typeof value === "string") return REDACTED;
  if (typeof value !== "object" || value === null) return value;
  if (depth > maxDepth) return REDACTED;
  if (Array.isArray(value)) return value.map((item) => hidden(item, depth + 1));
  return mapMembers(value, (_, member) => hidden(member, depth + 1));
}

function mapMembers(value: object, map: (name: string, member: unknown) => unknown): object {
  const members = value as Readonly<Record<string, unknown>>;
  const names = Object.keys(members);
  const mapped = names.map((name) => map(name, members[name]));
  if (names.every((name, at) => mapped[at] === members[name])) return value;
  // One member after the other: a copy by spreading takes twice the time if the names are numbers.
  const copy: Record<string, unknown> = {};
  names.forEach((name, at) => {
    // An assignment to `__proto__` would change the prototype.
    if (name === "__proto__") Object.defineProperty(copy, name, { ...ownMember, value: mapped[at] });
    else copy[name] = mapped[at];
  });
  return copy;
}

const ownMember = { configurable: true, enumerable: true, writable: true };

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

/** Control characters that start an escape sequence of a terminal, and their names in source code and JSON. */
const controls = "\u001b\u009b";
const names = String.raw`(?:u001b|x1b|033|e(?=\[))`;
const esc = String.raw`[${controls}]|\\${names}`;
/** Link or title. It ends with the character of a bell, or with an escape and a backslash. */
const link = String.raw`\][^${"\u0007\u001b"}\\]{0,400}(?:${"\u0007"}|\\{1,15}u0007|(?:[${controls}]|\\{1,15}${names})\\{1,15})`;
const sequence = new RegExp(String.raw`(?:${esc})(?:\[[\d:;<=>?]{0,48}[ -/]{0,2}[@-~]|[()][A-Z0-9]|${link})`, "gi");
const beginning = new RegExp(esc, "i");

/** Largest number of backslashes before a name. In JSON in JSON, their number doubles. */
const maxSlashes = 15;

/** Returns `true` if a text may contain colours or other escape sequences. */
function hasColours(text: string): boolean {
  return beginning.test(text);
}

/**
 * Returns a text without its escape sequences. `original` returns the position of a character in the text before. Its
 * calls must have rising positions.
 */
function withoutColours(text: string) {
  const parts: string[] = [];
  /** Pairs: the position after a sequence in the bare text, and in the text before. */
  const seams: number[] = [];
  let length = 0;
  let done = 0;
  sequence.lastIndex = 0;
  for (let match = sequence.exec(text); match !== null; match = sequence.exec(text)) {
    const first = text[match.index] === "\\" ? Math.max(done, match.index + 1 - maxSlashes) : match.index;
    let from = match.index;
    while (from > first && text[from - 1] === "\\") from--;
    parts.push(text.slice(done, from));
    length += from - done;
    done = sequence.lastIndex;
    seams.push(length, done);
  }
  parts.push(text.slice(done));
  let next = 0;
  let offset = 0;
  const original = (at: number): number => {
    for (; next < seams.length && (seams[next] as number) <= at; next += 2)
      offset = (seams[next + 1] as number) - (seams[next] as number);
    return at + offset;
  };
  return { bare: parts.join(""), original };
}
