import { isSecretFlag, isSecretName } from "./redact-names.js";
import { redactText } from "./redact-text.js";
import { isPlain, REDACTED } from "./redact-values.js";

export { isSecretName } from "./redact-names.js";
export { redactText } from "./redact-text.js";
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
