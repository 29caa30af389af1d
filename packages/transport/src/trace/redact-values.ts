import { isSecretFlag, isSecretName } from "./redact-names.js";

/** Replacement of a secret. */
export const REDACTED = "[redacted]";

/** Part of a text that is a secret. */
export type Place = { readonly from: number; readonly to: number };

/** Returns a function that skips characters which match `step`, a sticky expression with a bounded repetition. */
export const skip = (step: RegExp) => (text: string, from: number) => {
  let at = from;
  for (step.lastIndex = at; step.test(text); step.lastIndex = at) at = step.lastIndex;
  return at;
};

/** Words behind a name that are no value: types, states and the words of a sentence. */
const word =
  /^(?:true|false|null|none|nil|undefined|void|string|str|text|number|int|integer|boolean|bool|bytes|any|unknown|never|object|array|list|function|required|optional|missing|invalid|expired|empty|unset|set|hidden|masked|redacted|secret|basic|bearer|digest|oauth2?|oidc|jwt|include|omit|same-origin|default|always|yes|no|on|off|ok|env|a|an|the|to|and|or|is|are|was|it|its|this|that|which|who|flag|option|argument|arguments|value|values|with|without|for|in|into|from|if|when|then|as|at|by|of|instead|must|can|cannot|could|may|should|will|not|has|have|only|on|out|before|after|here|there|keep|see|use|used|per|be|do|you|your|we|our)[.,;:!?)]{0,3}$/i;

/** References and fillers: variables, templates, calls, stars. */
const reference =
  /^(?:\$\{?[A-Za-z_][\w.:-]*\}?|\$\(.*|\$\{\{.*|%\w+%|<.*|\{\{.*|\{|\*+|x{3,}|\.{3}|…|•+|[A-Za-z_$][\w$.?]*[([].*|(?:process|os|env|config|settings|secrets|vars|import|self|this|options|req|ctx|args|props|state)\.[\w$.?]*)[,;]?$/s;

/** Returns true if a value behind a secret's name is none: a type, a count, a reference or a word of a sentence. */
export function isPlain(value: string, name: string): boolean {
  if (value === "" || value.startsWith(REDACTED)) return true;
  if (value.length > 200) return false;
  // A count. A password may be a number.
  if (/^\d{1,9}(?:[.,]\d+)?[km]?[,;]?$/i.test(value)) return !/pass|pwd|secret/i.test(name);
  return word.test(value) || reference.test(value);
}

const opening = /(\\{0,15})(["'`])/y;

/** Returns the end of a text between quotes, each behind `depth` backslashes. */
function closing(text: string, from: number, quote: string, depth: number): number {
  for (let at = text.indexOf(quote, from); at !== -1; at = text.indexOf(quote, at + 1)) {
    let slashes = 0;
    while (at - slashes > from && text[at - slashes - 1] === "\\") slashes++;
    const isDoubled = quote === "'" && depth === 0 && text[at + 1] === "'";
    if (isDoubled) at++;
    else if (slashes < depth || slashes % (2 * (depth + 1)) === depth) return at - slashes;
  }
  return text.length;
}

type Quoted = Place & { readonly end: number };

function quoted(text: string, at: number): Quoted | undefined {
  opening.lastIndex = at;
  const [all, slashes = "", quote = ""] = opening.exec(text) ?? [];
  if (all === undefined) return undefined;
  const from = at + all.length;
  const to = closing(text, from, quote, slashes.length);
  return { from, to, end: Math.min(text.length, to + all.length) };
}

const blank = skip(/[ \t]{1,4096}/y);
const space = skip(/(?:\s|\\+[nrt]){1,1024}/y);
const between = skip(/[\s,]{1,4096}/y);
const noSpace = skip(/[^\s"'`]{1,4096}/y);
/** A line ends at an escaped line end too: the text may be JSON. */
const unbroken = skip(/(?:[^\s"'`\\]|\\(?![nrt\\"'`])){1,4096}/y);
const noBreak = skip(/(?:[^\n\r\\]|\\(?![nr\\])){1,4096}/y);

/** Returns the places of the texts in a list. */
function listed(text: string, from: number): readonly Place[] {
  const places: Place[] = [];
  for (let at = between(text, from); at < text.length && text[at] !== "]"; at = between(text, at)) {
    const item = quoted(text, at);
    if (item === undefined) break;
    places.push(item);
    at = item.end;
  }
  return places;
}

const block = /[|>][+-]?\d?[ \t]{0,8}(?:\r?\n|\\{1,15}n)/y;
const item = /(?:\r?\n|\\{1,15}n)[ \t]{0,64}- +/y;

const next = /[ \t]{1,64}[^\s:]/y;
const breaks = /\r?\n|\\{1,15}n/y;

/** Returns the places of the items of a YAML list, or of the lines of a block, behind a name. */
function lines(text: string, from: number): readonly Place[] {
  block.lastIndex = from;
  if (block.test(text)) {
    const start = block.lastIndex;
    let to = start;
    for (next.lastIndex = start; next.test(text); next.lastIndex = to) {
      to = noBreak(text, next.lastIndex);
      breaks.lastIndex = to;
      if (breaks.test(text)) to = breaks.lastIndex;
    }
    return to > start ? [{ from: blank(text, start), to }] : [];
  }
  const places: Place[] = [];
  for (item.lastIndex = from; item.test(text); ) {
    const start = item.lastIndex;
    const to = noBreak(text, start);
    if (isPlain(text.slice(start, Math.min(to, start + 201)), "")) break;
    places.push({ from: start, to });
    item.lastIndex = to;
  }
  return places;
}

const maxName = 72;

function nameStart(text: string, end: number): number {
  let at = end;
  while (at > 0 && end - at < maxName && /[\w.-]/.test(text[at - 1] as string)) at--;
  // The letter of an escaped line end is no part of a name.
  return text[at - 1] === "\\" && /[nrt]/.test(text[at] as string) ? at + 1 : at;
}

/** Last word of a name, then a separator. Names are looked up backwards from it. */
export const assignment =
  /(tokens?|secrets?|passwords?|passwd|passphrases?|pass|pwd|pw|pat|authorization|auth|credentials?|creds|cookies?|jwt|keys?|string|base)([-_]?\d{0,3})(\\{0,15}["'`])?(?:[ \t]{0,8}(:=|=>|[=:])|[ \t]{1,8}(?=[^ \t\n\r=:]))[ \t]{0,8}/gi;

/** Returns the secrets behind a match of `assignment`. */
export function assigned(text: string, match: RegExpExecArray): readonly Place[] {
  const [all, last = "", digits = "", quote, sign = ""] = match;
  const start = nameStart(text, match.index);
  const name = text.slice(start, match.index + last.length + digits.length).replace(/^\.+/, "");
  const from = match.index + all.length;
  const isFlag = name.startsWith("-");
  if (isFlag ? !isSecretFlag(name) : !isSecretName(name)) return [];
  const isNameQuoted = quote !== undefined;
  if (sign === "" && (!isFlag || isNameQuoted)) return [];
  if (sign === "=" && text[from] === "=") return [];
  const value = quoted(text, isNameQuoted ? space(text, from) : from);
  if (value !== undefined)
    return isPlain(text.slice(value.from, Math.min(value.to, value.from + 201)), name) ? [] : [value];
  const at = isNameQuoted ? space(text, from) : from;
  if (text[at] === "[" && !text.startsWith(REDACTED, at)) return listed(text, at + 1);
  if (sign === ":" && /[\r\n|>\\]/.test(text[at] ?? "")) return lines(text, at);
  return bare(text, { name, sign, start, at, isSpaced: /[=:][ \t]/.test(all), isWide: /[ \t][=:]/.test(all) });
}

type Bare = {
  readonly name: string;
  readonly sign: string;
  readonly start: number;
  readonly at: number;
  readonly isSpaced: boolean;
  readonly isWide: boolean;
};

/** Longest part of a value that is looked at. */
const probe = /(?:[^\s"'`\\]|\\(?![nrt\\"'`])){1,128}/y;

/** Returns a value without quotes. Sentences and code have names and signs too: they must look like a value. */
function bare(text: string, { name, sign, start, at, isSpaced, isWide }: Bare): readonly Place[] {
  probe.lastIndex = at;
  const [value = ""] = probe.exec(text) ?? [];
  if (isPlain(value, name)) return [];
  const end = at + value.length;
  const whole = () => [{ from: at, to: sign === ":" || isWide ? unbroken(text, end) : noSpace(text, end) }];
  if (sign === "") return value.startsWith("-") ? [] : whole();
  const hasDigit = /\d/.test(value);
  if (sign === "=" && !isSpaced && !isWide) return whole();
  const isLast = /^(?:[\r\n"'`#\\]|)$/.test(text.charAt(blank(text, end)));
  const isFirst = /^(?:[\r\n"'`{,([]|)$/.test(before(text, start));
  if (sign !== ":") return isFirst && isLast && /[\d!@#%^*+-]/.test(value) && !/[;,)]$/.test(value) ? whole() : [];
  if (!isSpaced) return hasDigit && value.length >= 8 && !/[/(]/.test(value) ? whole() : [];
  const isCompound = /\w[-_.]\w|[a-z][A-Z]/.test(name);
  if (!isFirst && !isCompound) return hasDigit && /[a-z]/i.test(value) && value.length >= 10 ? whole() : [];
  const isCode = /[,;)}\]]$/.test(value);
  if (isLast && !isCode) return whole();
  if (!hasDigit || value.length < 6) return [];
  return isCode ? [{ from: at, to: end - 1 }] : whole();
}

/** Returns the character before the blanks and dashes in front of a name. */
function before(text: string, at: number): string {
  let from = at;
  while (from > 0 && at - from < 64 && /[ \t-]/.test(text.charAt(from - 1))) from--;
  const letter = text.charAt(from - 1);
  return letter === "n" && text.charAt(from - 2) === "\\" ? "\n" : letter;
}
