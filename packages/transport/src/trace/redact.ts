/** Replacement of a secret. */
export const REDACTED = "[redacted]";

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

/** Minimum length of a named secret. Shorter ones would occur in ordinary text. */
const minSecret = 4;

/**
 * One form of a secret. `find` matches its start; group 1, or all of the match with `keep`, stays. `end` returns the end
 * of the secret, or a negative number for a text that is none: the search goes on behind its absolute value.
 *
 * No text can make the search slow or fail. Repetitions are bounded, and names are looked up backwards from their last
 * word. Long secrets are skipped in steps: one repetition of megabytes would exhaust the stack of the expression.
 */
type Form = {
  readonly find: RegExp;
  readonly keep?: "match";
  readonly end: (text: string, from: number) => number;
};

/** Returns a function that skips characters which match `step`, a sticky expression with a bounded repetition. */
const skip = (step: RegExp) => (text: string, from: number) => {
  let at = from;
  for (step.lastIndex = at; step.test(text); step.lastIndex = at) at = step.lastIndex;
  return at;
};

const word = skip(/[\w-]{1,4096}/y);
const noSpace = skip(/[^\s"']{1,4096}/y);
const nothing = (_text: string, from: number) => from;

const keyBody = skip(/[^-]{1,4096}/y);
const keyEnd = skip(/-----END [A-Z ]{0,40}PRIVATE KEY-----/y);

/** Returns the end of a token of two or three parts. Every start within the first part has the same end. */
function tokenEnd(text: string, from: number): number {
  const first = word(text, from);
  const second = text[first] === "." ? word(text, first + 1) : first;
  if (second - first < 9) return -first;
  return text[second] === "." ? word(text, second + 1) : second;
}

const forms: readonly Form[] = [
  {
    find: /-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----/g,
    end: (text, from) => {
      const body = keyBody(text, from);
      return keyEnd(text, body);
    },
  },
  {
    find: /\b((?:proxy-)?authorization["']?\s{0,4}[:=]\s{0,4}["']?)(?:[a-z]{1,20} )?[^\s"',;]/gi,
    end: skip(/[^\s"',;]{1,4096}/y),
  },
  { find: /\b(bearer\s{1,4})[\w.~+/-]{12}/gi, end: skip(/[\w.~+/=-]{1,4096}/y) },
  { find: /\b(?:sk|pk|rk)-[\w-]{16}/g, end: word },
  { find: /\b(?:gh[pousr]_|github_pat_|glpat-|npm_|hf_|xox[abprs]-)[\w-]{16}/g, end: word },
  { find: /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/g, end: nothing },
  { find: /\bAIza[\w-]{30}/g, end: word },
  { find: /\beyJ[\w-]{8}/g, end: tokenEnd },
  { find: /(:\/\/)[^\s/:@"']{0,200}:[^\s/@"']{1,200}(?=@)/g, end: nothing },
  {
    find: /(?:token|key|secret|password|signature|sig|code|auth)=(?<=[?&;#][\w.-]{0,50}=)(?=[^&#\s"'<>])/gi,
    keep: "match",
    end: skip(/[^&#\s"'<>]{1,4096}/y),
  },
  {
    find: /(?:token|secret|password|passwd|api-?key|access-?key)[= ](?<=-[\w-]{0,52}[= ])(?=[^\s"'])/gi,
    keep: "match",
    end: noSpace,
  },
  // Members of JSON inside a text, plain and with escaped quotes.
  {
    find: /(?:token|secret|password|passwd|passphrase|credentials?|(?:api|access|private)[-_]?key)"(?<="[\w.-]{0,52}")\s{0,4}:\s{0,4}"(?=[^"\\]|\\.)/gi,
    keep: "match",
    end: skip(/(?:[^"\\]|\\.){1,4096}/y),
  },
  {
    find: /(?:token|secret|password|passwd|passphrase|credentials?|(?:api|access|private)[-_]?key)\\"(?<=\\"[\w.-]{0,52}\\")\s{0,4}:\s{0,4}\\"(?=[^"\\]|\\[^"])/gi,
    keep: "match",
    end: skip(/(?:[^"\\]|\\[^"]){1,4096}/y),
  },
  {
    find: /(?:TOKEN|SECRET|PASSWORD|API_?KEY|ACCESS_KEY|PRIVATE_KEY)=(?<=\b[A-Z0-9_]{0,72}=)(?=[^\s"'])/g,
    keep: "match",
    end: noSpace,
  },
];

/**
 * Returns a text without likely secrets:
 *
 * - keys and tokens of known forms
 * - passwords in URLs
 * - values of flags, variables, query parameters and members of JSON that are named like a secret
 * - `secrets`, anywhere in the text
 *
 * A secret without such a name or form stays, unless `secrets` has it. The time grows with the length of the text.
 */
export function redactText(text: string, secrets: readonly string[] = []): string {
  let safe = text;
  for (const secret of secrets) {
    if (secret.length >= minSecret) safe = safe.replaceAll(secret, REDACTED);
  }
  for (const form of forms) safe = redactForm(safe, form);
  return safe;
}

function redactForm(text: string, { find, keep, end }: Form): string {
  const parts: string[] = [];
  let from = 0;
  find.lastIndex = 0;
  for (let match = find.exec(text); match !== null; match = find.exec(text)) {
    const stop = end(text, find.lastIndex);
    find.lastIndex = Math.abs(stop);
    if (stop < 0) continue;
    parts.push(text.slice(from, match.index), (keep === "match" ? match[0] : match[1]) ?? "", REDACTED);
    from = stop;
  }
  return parts.length === 0 ? text : parts.join("") + text.slice(from);
}
