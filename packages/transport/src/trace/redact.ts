import { findAssigned } from "./redact-assigned.js";
import { forms } from "./redact-forms.js";
import { isSecretFlag, isSecretName } from "./redact-names.js";
import { type Form, Scan } from "./redact-scan.js";
import { isPlain, REDACTED } from "./redact-values.js";

export { isSecretName } from "./redact-names.js";
export { REDACTED } from "./redact-values.js";

/** Depth below which everything is redacted unseen. */
const maxDepth = 200;

/**
 * Returns a message without secrets, for logs and bug reports. It redacts:
 *
 * - all values of `env` and `headers`
 * - members and name-value pairs that are named like a secret
 * - arguments behind flags that are named like a secret
 * - all that `redactText` finds in other texts
 *
 * Names stay. The message itself is not changed, and the copy shares the parts without secrets.
 */
export function redactSecrets(value: unknown, secrets: readonly string[] = []): unknown {
  return redact(value, (text) => redactText(text, secrets), 0);
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
    if (typeof item !== "string" || typeof before !== "string") return redact(item, clean, depth + 1);
    if (isSecretFlag(before) && !item.startsWith("-") && !isPlain(item, before)) return REDACTED;
    if (isLogin.test(before) && callers.test(String(list[0]))) return item.replace(/:.*$/s, `:${REDACTED}`);
    return clean(item);
  });
  return safe.every((item, index) => item === list[index]) ? list : safe;
}

/** Redacts variables or headers: an object of values, pairs of `name` and `value`, or texts `NAME=value`. */
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

/** Redacts all texts of a value. Numbers and booleans are no secrets. */
function hidden(value: unknown, depth: number): unknown {
  if (typeof value === "string") return REDACTED;
  if (typeof value !== "object" || value === null) return value;
  if (depth > maxDepth) return REDACTED;
  if (Array.isArray(value)) return value.map((item) => hidden(item, depth + 1));
  return mapMembers(value, (_, member) => hidden(member, depth + 1));
}

function mapMembers(value: object, map: (name: string, member: unknown) => unknown): object {
  const before = Object.entries(value);
  const after = before.map(([name, member]) => [name, map(name, member)] as const);
  // Without assignments, since `__proto__` is an ordinary member here.
  return after.every(([, member], index) => member === before[index]?.[1]) ? value : Object.fromEntries(after);
}

/** Minimum length of a named secret. Shorter ones would occur in ordinary text. */
const minSecret = 4;

/** Longest text that is looked at, in UTF-16 units. The rest is left out, with the last word before it. */
const maxText = 8 * 1024 * 1024;

/**
 * Returns a text without likely secrets:
 *
 * - keys and tokens of known forms
 * - passwords in URLs, headers and command lines
 * - values of flags, variables, query parameters and members of JSON, YAML and TOML that are named like a secret
 * - `secrets`, anywhere in the text
 *
 * A secret without such a name or form stays, unless `secrets` has it. The time grows with the length of the text. What
 * follows 8 Mi UTF-16 units is left out, and a note says so.
 */
export function redactText(text: string, secrets: readonly string[] = []): string {
  if (text.length > maxText) return cut(text, secrets);
  let safe = text;
  for (const secret of secrets) {
    // A part of the replacement would be replaced again and again.
    if (secret.length >= minSecret && !REDACTED.includes(secret)) safe = safe.replaceAll(secret, REDACTED);
  }
  for (const form of forms) safe = redactForm(safe, form);
  return redactAssigned(safe);
}

/** Redacts the start of a text. The cut may go through a secret, whose rest could not be recognised. */
function cut(text: string, secrets: readonly string[]): string {
  const longest = Math.max(4096, ...secrets.map(({ length }) => length));
  const tail = /\s\S*$/.exec(text.slice(maxText - 4096, maxText));
  const end = Math.max(0, maxText - (tail === null || longest > 4096 ? longest : 4096 - tail.index));
  return `${redactText(text.slice(0, end), secrets)}[${text.length - end} characters left out]`;
}

function redactForm(text: string, { find, keep, end }: Form): string {
  const parts: string[] = [];
  const scan = new Scan(text);
  let from = 0;
  find.lastIndex = 0;
  for (let match = find.exec(text); match !== null; match = find.exec(text)) {
    const stop = end(scan, find.lastIndex, match);
    find.lastIndex = Math.abs(stop);
    if (stop < 0) continue;
    parts.push(text.slice(from, match.index), (keep === "match" ? match[0] : match[1]) ?? "", REDACTED);
    from = stop;
  }
  return parts.length === 0 ? text : parts.join("") + text.slice(from);
}

function redactAssigned(text: string): string {
  const parts: string[] = [];
  let done = 0;
  findAssigned(text, ({ from, to }) => {
    parts.push(text.slice(done, from), REDACTED);
    done = to;
  });
  return parts.length === 0 ? text : parts.join("") + text.slice(done);
}
