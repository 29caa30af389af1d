import { REDACTED, redactText } from "./redact-text.js";

/** Depth below which everything is redacted unseen. */
const maxDepth = 200;
const secretName =
  /(?:^|[-_.\s])(?:tokens?|secrets?|password|passwd|passphrase|authorization|auth|credentials?|cookie|bearer|jwt)$|(?:^|[-_.\s])(?:api|access|private|secret|auth|encryption|signing)[-_]?key$/i;

const secretFlag = /^--?[\w-]{0,40}(?:token|secret|password|passwd|api-?key|access-?key)$/i;

/** Returns true if a variable, header or member of that name usually holds a secret. */
export function isSecretName(name: string): boolean {
  return name.length < 200 && secretName.test(name.replace(/([a-z0-9])([A-Z])/g, "$1-$2"));
}

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

function redactList(list: readonly unknown[], clean: Clean, depth: number): unknown {
  const safe = list.map((item, index) => {
    const before = list[index - 1];
    if (typeof item === "string" && typeof before === "string" && secretFlag.test(before)) return REDACTED;
    return redact(item, clean, depth + 1);
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
