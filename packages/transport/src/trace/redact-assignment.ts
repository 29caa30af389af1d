import { isSecretFlag, isSecretName } from "./redact-names.js";
import { has, letters } from "./redact-scan.js";

/**
 * Pattern for the last word of a name, followed by a separator. The start of the name is searched backwards from this
 * word.
 */
export const assignment =
  /(?:tokens?|secrets?(?:[-_]id)?|passwords?|passwd|passphrases?|phrases?|mnemonics?|pass|pwd|pw|pat|psk|authorization|auth|credentials?|creds|cookies?|jwt|keys?|data|string|base|session(?:(?=(_\w{1,60}))\1)?|dsn|webhook(?:_url)?|seed|oauth|unseal|pem|tkn|totp)[-_]?\d{0,3}(?:\\{0,15}["'`]\]?)?(?:[ \t]{0,8}(?::=|=>|(?:\|\||\?\?)?=|:)|(?<=["'`]),|[>(]|[ \t]{1,8}(?=[^ \t\n\r=:]))[ \t]{0,8}/gi;

/** Name and separator before a value. */
export type AssignedName = {
  readonly name: string;
  readonly sign: string;
  /** Start of the name. */
  readonly start: number;
  /** Start of the value. */
  readonly at: number;
  readonly isNameQuoted: boolean;
  /** `true` for the name of an index, as in `environ["NAME"]`. */
  readonly isIndex: boolean;
  readonly isSpaced: boolean;
  readonly isWide: boolean;
};

const maxName = 80;

const blanks = letters(/[ \t]/);
const signs = letters(/[=:>,(]/);
/** Last characters of a text before the last character of a longer separator, such as `=>` and `||=`. */
const signStarts = letters(/[=:|?]/);
const quotes = letters(/["'`]/);
const nameLetters = letters(/[\w.-]/);

/** Returns the parts of the text before `at`: a name, its quote, a separator and spaces. */
export function assignmentBefore(text: string, at: number): AssignedName {
  let place = at;
  while (has(blanks, text, place - 1)) place--;
  const isSpaced = place < at;
  const signEnd = place;
  if (has(signs, text, place - 1)) place = signBefore(text, place);
  const beforeSign = place;
  while (has(blanks, text, place - 1)) place--;
  const isWide = place < beforeSign && beforeSign < signEnd;
  const isIndex = text[place - 1] === "]" && has(quotes, text, place - 2);
  if (isIndex) place--;
  const isNameQuoted = has(quotes, text, place - 1);
  if (isNameQuoted) for (place--; text[place - 1] === "\\"; ) place--;
  let start = place;
  while (place - start < maxName && has(nameLetters, text, start - 1)) start--;
  start += escapeLetters(text, start);
  while (text[start] === ".") start++;
  const name = text.slice(start, place);
  return { name, sign: text.slice(beforeSign, signEnd), start, at, isNameQuoted, isIndex, isSpaced, isWide };
}

/** Returns the start of the separator that ends at `end`. */
function signBefore(text: string, end: number): number {
  let start = end - 1;
  if (!has(signStarts, text, start - 1)) return start;
  if (text.startsWith("=>", start - 1) || text.startsWith(":=", start - 1)) start--;
  return text.startsWith("||=", start - 2) || text.startsWith("??=", start - 2) ? start - 2 : start;
}

const escaped = /\\(?:[nrt]|x[\da-f]{2}|u[\da-f]{4})/iy;

/** Returns the number of letters at `at` that belong to an escape before a name, such as the `n` of `\\n`. */
function escapeLetters(text: string, at: number): number {
  if (text[at - 1] !== "\\") return 0;
  escaped.lastIndex = at - 1;
  return escaped.test(text) ? escaped.lastIndex - at : 0;
}

/** Returns `true` if an assignment has the name of a secret. */
export function isOfSecret({ name, sign, isNameQuoted }: AssignedName): boolean {
  if (sign === "" && isNameQuoted) return false;
  return name.startsWith("-") ? isSecretFlag(name) : isSecretName(name);
}
