import { type AssignedName, assignment, assignmentBefore, isOfSecret } from "./redact-assignment.js";
import { isSecretName } from "./redact-names.js";
import { Ahead, has, letters } from "./redact-scan.js";
import {
  blank,
  isPlain,
  lines,
  listed,
  noSpace,
  openings,
  quoted,
  REDACTED,
  type SecretRange,
  space,
  unbroken,
} from "./redact-values.js";

/** Calls `found` with the position of each value in a text that is a secret because of its name. */
export function findAssigned(text: string, found: (place: SecretRange) => void): void {
  let done = 0;
  let reader: Reader | undefined;
  assignment.lastIndex = 0;
  // `test` is faster than `exec`, and a text may have a match in every five characters.
  while (assignment.test(text)) {
    const at = assignment.lastIndex;
    const one = assignmentBefore(text, at);
    if (!isOfSecret(one)) continue;
    reader ??= readerOf(text);
    for (const place of valuesOf(reader, one, done)) {
      found(place);
      done = place.to;
    }
    assignment.lastIndex = Math.max(at, done);
  }
}

/** A text, and functions that find the ends of values and characters in values. */
type Reader = { readonly text: string; readonly end: Ahead; readonly digit: Ahead; readonly slash: Ahead };

const valueEnd = /[\s"'`]|\\(?=[nrt\\"'`])/g;
const digit = /\d/g;
const slash = /[/(]/g;

const readerOf = (text: string): Reader => ({
  text,
  end: new Ahead(text, valueEnd),
  digit: new Ahead(text, digit),
  slash: new Ahead(text, slash),
});

const none: readonly SecretRange[] = [];

/** Returns the secrets of an assignment with the name of a secret. `done` is the end of the last secret before. */
function valuesOf(reader: Reader, one: AssignedName, done: number): readonly SecretRange[] {
  const { text } = reader;
  const { name, sign, at } = one;
  const isFlag = name.startsWith("-");
  if (sign === "") return isFlag ? assignedTo(reader, one, done) : worded(reader, one);
  if (sign === ">") return element(text, one);
  if (sign === ",") return isFlag ? flagArgument(text, one) : argument(text, one);
  if (sign === "(") return argument(text, one);
  if (sign === "=" && text[at] === "=") return none;
  return assignedTo(reader, one, done);
}

const valueStarts = letters(/[\r\n|>\\]/);

/** Returns the secrets after a separator, or after a flag. */
function assignedTo(reader: Reader, one: AssignedName, done: number): readonly SecretRange[] {
  const { text } = reader;
  const { name, sign, isIndex } = one;
  const at = one.isNameQuoted ? space(text, one.at) : one.at;
  const value = quoted(text, at);
  if (value !== undefined)
    return isPlain(text.slice(value.from, Math.min(value.to, value.from + 201)), name) ? none : [value];
  if (isIndex) return none;
  if (text[at] === "[" && !text.startsWith(REDACTED, at)) return listed(text, at + 1);
  if (text[at] === "(" && sign === "=") return second(text, at + 1);
  if (sign === ":" && has(valueStarts, text, at)) return lines(text, at);
  return bare(reader, at === one.at ? one : { ...one, at }, done);
}

/** Pattern for commands whose arguments are a name and a value as two words. */
const setting = /(?:\b(?:config(?:ure)? set|set -\w{1,4}|setx|secrets? set) ?|\blogin \S{1,32} |\/:)$/;

/** Returns a value if it follows a name as an argument of a command, or if it has the form of a secret. */
function worded(reader: Reader, { name, start, at }: AssignedName): readonly SecretRange[] {
  const { text } = reader;
  const is = text.startsWith("is ", at) && /^pass(?:word|phrase)$/i.test(name) ? 3 : 0;
  const from = at + is;
  const isSet = () => setting.test(text.slice(Math.max(0, start - 40), start));
  const between = is === 0 && has(openings, text, from) && isSet() ? quoted(text, from) : undefined;
  if (between !== undefined) return isPlain(text.slice(between.from, between.to), name) ? none : [between];
  const end = endOf(reader, from);
  if (end - from < 6) return none;
  const value = text.slice(from, end);
  const isMixed = is > 0 && /\d/.test(value) && /[a-z]/i.test(value) && /[A-Z!@#$%^&*]/.test(value);
  if (!isMixed && !isStrong(value) && !isSet()) return none;
  return isPlain(value, name) ? none : [{ from, to: noSpace(text, end) }];
}

/** Returns `true` for a value that cannot be the name of a program. */
function isStrong(value: string): boolean {
  // The form of a secret key of AWS.
  if (/^(?=.*[a-z])(?=.*[A-Z])[A-Za-z\d+/]{40}$/.test(value)) return true;
  return (
    value.length >= 20 &&
    /^[\w+/=~-]+$/.test(value) &&
    /[a-z]/.test(value) &&
    /[A-Z]/.test(value) &&
    /(?:\d.*){3}/.test(value)
  );
}

const closed = /([^\s<>]{1,200})<\//y;

/** Returns the text of an XML element. */
function element(text: string, { name, start, at }: AssignedName): readonly SecretRange[] {
  if (text[start - 1] !== "<" && text[start - 1] !== ":") return none;
  closed.lastIndex = at;
  const value = closed.exec(text)?.[1] ?? "";
  return isPlain(value, name) ? none : [{ from: at, to: at + value.length }];
}

/**
 * Returns an argument of a call that sets a secret, as in `setPassword("…")`, `define("DB_PASSWORD", "…")` or
 * `BasicAuth("me", "…")`.
 */
function argument(text: string, { name, sign, start, at }: AssignedName): readonly SecretRange[] {
  if (sign === "(" && /(?:Basic|Digest)Auth$/.test(name)) return second(text, at);
  const isCall =
    sign === "("
      ? /(?:^|\.)(?:set|with)_?[A-Z]\w*$/.test(name)
      : /^[A-Z0-9_]+$/.test(name) && /\(\\{0,15}["']$/.test(text.slice(Math.max(0, start - 18), start));
  const value = isCall ? quoted(text, at) : undefined;
  if (value === undefined) return none;
  return isPlain(text.slice(value.from, Math.min(value.to, value.from + 201)), name) ? none : [value];
}

/** Returns the text after a flag in a list of arguments. A text with spaces in a call describes the flag. */
function flagArgument(text: string, { name, start, at }: AssignedName): readonly SecretRange[] {
  const value = quoted(text, space(text, at));
  if (value === undefined) return none;
  const probe = text.slice(value.from, Math.min(value.to, value.from + 201));
  const isCall = /\(\\{0,15}["'`]$/.test(text.slice(Math.max(0, start - 18), start));
  if (probe.startsWith("-") || (isCall && /\s/.test(probe)) || isSecretName(probe)) return none;
  return isPlain(probe, name) ? none : [value];
}

const comma = /[ \t]{0,8},[ \t]{0,8}/y;

/** Returns the second of two texts between quotes, which is the password of a login. */
function second(text: string, at: number): readonly SecretRange[] {
  const first = quoted(text, at);
  if (first === undefined || first.to - first.from > 200) return none;
  comma.lastIndex = first.end;
  const value = comma.test(text) ? quoted(text, comma.lastIndex) : undefined;
  return value === undefined || isPlain(text.slice(value.from, Math.min(value.to, value.from + 201)), "")
    ? none
    : [value];
}

/** Pattern for the first part of a value. Only this part is examined. */
const maxProbe = 128;

/** Returns the end of the part of a value that is examined. */
function endOf({ end }: Reader, from: number): number {
  return Math.min(end.next(from), from + maxProbe);
}

/**
 * Returns the position of a value without quotes. Sentences and code also contain names and separators, so the text
 * must look like a value.
 */
function bare(
  reader: Reader,
  { name, sign, start, at, isSpaced, isWide }: AssignedName,
  done: number,
): readonly SecretRange[] {
  const { text, digit, slash } = reader;
  const end = endOf(reader, at);
  if (end === at) return none;
  if (sign === "" && text[at] === "-") return none;
  const isLoose = sign === ":" || isWide;
  const whole = (to?: number): readonly SecretRange[] =>
    isPlain(text.slice(at, end), name) ? none : [{ from: at, to: to ?? (isLoose ? unbroken : noSpace)(text, end) }];
  const isTight = !isSpaced && !isWide;
  if (sign === "=" && isTight) return whole();
  const hasDigit = digit.next(at) < end;
  if (sign === ":" && !isSpaced) return hasDigit && end - at >= 8 && slash.next(at) >= end ? whole() : none;
  const value = () => text.slice(at, end);
  if (sign === "") return whole();
  const isFirst = /^(?:[\r\n"'`{,([]|)$/.test(before(text, start, done));
  const isLast = () => /^(?:[\r\n"'`#\\]|)$/.test(text.charAt(blank(text, end)));
  if (sign !== ":") {
    if (isStrong(value())) return whole();
    return isFirst && isLast() && /[\d!@#%^*+-]/.test(value()) && !/[;,)]$/.test(value()) ? whole() : none;
  }
  const isCompound = /\w[-_.]\w|[a-z][A-Z]/.test(name);
  if (!isFirst && !isCompound) return hasDigit && end - at >= 10 && /[a-z]/i.test(value()) ? whole() : none;
  const isCode = /[,;)}\]]/.test(text.charAt(end - 1));
  if (!isCode && isLast()) return whole();
  if (!hasDigit || end - at < 6) return none;
  return whole(isCode ? end - 1 : undefined);
}

const blanksAndDashes = letters(/[ \t-]/);

/** Returns the character before a name, without the spaces and dashes in front of the name. */
function before(text: string, at: number, done: number): string {
  let from = at;
  while (from > done && at - from < 64 && has(blanksAndDashes, text, from - 1)) from--;
  const letter = text.charAt(from - 1);
  return letter === "n" && text.charAt(from - 2) === "\\" ? "\n" : letter;
}
