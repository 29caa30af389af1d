import { has, letters, skip } from "./redact-scan.js";

/** Replacement of a secret. */
export const REDACTED = "[redacted]";

/** Part of a text that is a secret. */
export type SecretRange = { readonly from: number; readonly to: number };

/** Words after a name that are not values, such as types, states and words of a sentence. */
const words = new Set(
  "true|false|null|enabled|disabled|granted|denied|accepted|rejected|allowed|refused|active|inactive|auto|manual|none|nil|undefined|void|string|str|text|number|int|integer|boolean|bool|bytes|any|unknown|never|object|array|list|function|required|optional|missing|invalid|expired|empty|unset|set|hidden|masked|redacted|secret|basic|bearer|digest|oauth|oauth2|oidc|jwt|include|omit|same-origin|default|always|yes|no|on|off|ok|env|a|an|the|to|and|or|is|are|was|it|its|this|that|which|who|flag|option|argument|arguments|value|values|with|without|for|in|into|from|if|when|then|as|at|by|of|instead|must|can|cannot|could|may|should|will|not|has|have|only|on|out|before|after|here|there|keep|see|use|used|per|be|do|you|your|we|our".split(
    "|",
  ),
);
const longestWord = 16;
/** References and placeholders, such as variables, templates, calls and stars. */
const reference =
  /^(?:\$\{?[A-Za-z_][\w.:-]*\}?|\$\(.*|\$\{\{.*|%\w+%|<.*|\{\{.*|\{|\*+|x{3,}|\.{3}|…|•+|[A-Za-z_$][\w$.?]*[([].*|(?:process|os|env|config|settings|secrets|vars|import|self|this|options|req|ctx|args|props|state)\.[\w$.?]*)[,;]?$/s;

/** Path of lower-case names. Keys have capital letters, and passwords rarely two slashes. */
const lowerPath = /^(?:[/~]|[a-z]:\\)(?:[a-z\d._-]{1,40}[/\\]){1,12}[a-z\d._-]{1,40}$/;

/** Placeholders, which ask a reader for a value. */
const placeholder = /^(?:(?:your|insert|paste|enter|replace)[-_].{0,80}|change[-_]?(?:me|it)|[\w-]{0,16}\.{3})$/i;

function isWord(value: string): boolean {
  return (
    value.length <= longestWord &&
    words.has(
      value
        .trim()
        .replace(/[.,;:!?)]{1,3}$/, "")
        .toLowerCase(),
    )
  );
}

/**
 * Returns `true` if the text after the name of a secret is not a secret. Examples are types, counts, references and
 * words of a sentence.
 */
export function isPlain(value: string, name: string): boolean {
  if (value === "" || value.startsWith(REDACTED)) return true;
  if (value.length > 200) return false;
  // A count. A password may consist of digits.
  if (/^\d{1,9}(?:[.,]\d+)?[km]?[,;]?$/i.test(value)) return !/pass|pwd|secret/i.test(name);
  // A path, such as the folder of a shell or a file with the secret.
  if (/^(?:[/~]|[a-z]:\\)/i.test(value) && (/^pwd$/i.test(name) || lowerPath.test(value))) return true;
  return isWord(value) || reference.test(value) || placeholder.test(value);
}

/** Characters with which a text between quotes can start. */
export const openings = letters(/[\\"'`]/);
const opening = /(\\{0,15})(["'`])/y;

/** Returns the end of a text between quotes. Each quote has `depth` backslashes before it. */
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

type Quoted = SecretRange & { readonly end: number };

/** Returns the position of a text between quotes that starts at `at`. */
export function quoted(text: string, at: number): Quoted | undefined {
  if (!has(openings, text, at)) return undefined;
  opening.lastIndex = at;
  const [all, slashes = "", quote = ""] = opening.exec(text) ?? [];
  if (all === undefined) return undefined;
  const from = at + all.length;
  const to = closing(text, from, quote, slashes.length);
  return { from, to, end: Math.min(text.length, to + all.length) };
}

/** Skips spaces. */
export const blank = skip(/[ \t]{1,4096}/y);
/** Skips spaces and line ends. Escaped line ends are included. */
export const space = skip(/(?:\s|\\+[nrt]){1,1024}/y);
const between = skip(/[\s,]{1,4096}/y);
/** Skips characters that are neither spaces nor quotes. */
export const noSpace = skip(/[^\s"'`]{1,4096}/y);
/** An escaped line end also ends the line, because the text may be JSON. */
export const unbroken = skip(/(?:[^\s"'`\\]|\\(?![nrt\\"'`])){1,4096}/y);
const noBreak = skip(/(?:[^\n\r\\]|\\(?![nr\\])){1,4096}/y);

/** Returns the positions of the texts in a list. */
export function listed(text: string, from: number): readonly SecretRange[] {
  const ranges: SecretRange[] = [];
  for (let at = between(text, from); at < text.length && text[at] !== "]"; at = between(text, at)) {
    const item = quoted(text, at);
    if (item === undefined) break;
    ranges.push(item);
    at = item.end;
  }
  return ranges;
}

const block = /[|>][+-]?\d?[ \t]{0,8}(?:\r?\n|\\{1,15}n)/y;
const item = /(?:\r?\n|\\{1,15}n)[ \t]{0,64}- +/y;

const next = /[ \t]{1,64}[^\s:]/y;
const breaks = /\r?\n|\\{1,15}n/y;

/** Returns the positions of the items of a YAML list, or of the lines of a YAML block, after a name. */
export function lines(text: string, from: number): readonly SecretRange[] {
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
  const ranges: SecretRange[] = [];
  for (item.lastIndex = from; item.test(text); ) {
    const start = item.lastIndex;
    const to = noBreak(text, start);
    if (isPlain(text.slice(start, Math.min(to, start + 201)), "")) break;
    ranges.push({ from: start, to });
    item.lastIndex = to;
  }
  return ranges;
}
