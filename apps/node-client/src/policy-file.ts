import type { PermissionFacts, PermissionVerdict } from "@turnkit/client/broker";
import { fitsCommandPattern } from "@turnkit/session/command";
import { type JsonValue, requireJsonFile } from "./setup/json-file.js";

/** Function that decides by structured facts. If it returns `undefined`, a person decides. */
export type Judge = (facts: PermissionFacts) => PermissionVerdict;

type Decision = "allow" | "deny" | "ask";
type Condition = (facts: PermissionFacts, decision: Decision) => boolean;
type Rule = {
  readonly decision: Decision;
  readonly conditions: readonly Condition[];
  readonly isAboutCommands: boolean;
  /** `true` if the rule contains the whole command line, or all its arguments. */
  readonly isExact: boolean;
};

const verdicts: Readonly<Record<Decision, PermissionVerdict>> = { allow: "allow", deny: "reject", ask: "ask" };

/** Kinds of the protocol. An agent may have other kinds, which begin with `_`. */
const KINDS = ["read", "edit", "delete", "move", "search", "execute", "think", "fetch", "switch_mode", "other"];

/**
 * Reads a policy file. The first rule whose conditions are all true decides. Without such a rule, `default` decides. If
 * `default` is absent too, it is `ask`. Conditions use structured fields, never titles.
 *
 * @throws UsageError with the place of the fault
 */
export async function readPolicyFile(path: string): Promise<Judge> {
  const members = (await requireJsonFile("--permissions", path)).members(["default", "rules"]);
  const usual = members.get("default");
  const otherwise = usual === undefined ? "ask" : readDecision(usual);
  const rules = members.get("rules")?.items().map(readRule) ?? [];
  const limits = rules.some(({ decision, isAboutCommands }) => decision !== "allow" && isAboutCommands);
  return (facts) => {
    const { commands, argv, commandLine } = facts;
    const isUnread = commands === undefined && (argv !== undefined || commandLine !== undefined);
    const rule = rules.find(({ decision, conditions }) => conditions.every((holds) => holds(facts, decision)));
    const verdict = rule === undefined && otherwise === "ask" ? undefined : verdicts[rule?.decision ?? otherwise];
    // A command line that cannot be parsed may contain a command that a rule denies.
    return verdict === "allow" && isUnread && limits && !rule?.isExact ? undefined : verdict;
  };
}

const conditions: Readonly<Record<string, (value: JsonValue) => Condition>> = {
  agent: (value) => isOneOf(value, ({ agent }) => agent.name),
  kind: (value) => isOneOf(known(value, KINDS), ({ kind }) => kind),
  tool: (value) => isOneOf(value, ({ tool }) => tool),
  subject: (value) => isOneOf(known(value, ["tool_call", "command", "none", "unknown"]), ({ subject }) => subject),
  place: (value) => isOneOf(known(value, ["inside", "outside", "none"]), ({ place }) => place),
  command: (value) => {
    const pattern = patternOf(value);
    return ({ commands, argv, access }, decision) => {
      // A rule names no access, so a person decides about it.
      if (decision === "allow" && access !== undefined) return false;
      const all = commands ?? (argv === undefined ? [] : [argv]);
      const doesFit = (words: readonly string[]) => fits(words, pattern, decision);
      return decision === "allow" ? all.length > 0 && all.every(doesFit) : all.some(doesFit);
    };
  },
  commandLine: (value) => {
    const holds = isOneOf(value, ({ commandLine }) => commandLine);
    return (facts, decision) => (decision !== "allow" || facts.access === undefined) && holds(facts, decision);
  },
};

/**
 * Reads a pattern such as `"npm test *"` or `["npm", "test", "..."]`. A `*` at the end of a text matches any number of
 * arguments.
 */
function patternOf(value: JsonValue): readonly string[] {
  const isText = typeof value.value === "string";
  const pattern = isText ? value.text().trim().split(/\s+/) : value.items().map((item) => item.text());
  if (isText && pattern.length > 1 && pattern.at(-1) === "*") pattern.splice(-1, 1, "...");
  const early = pattern.indexOf("...");
  const isQuoted = isText && /["'`$\\|&;<>]/.test(value.text());
  const isOdd = ["...", "*", ""].includes(pattern[0] ?? "");
  if (isOdd || isQuoted || (early !== -1 && early !== pattern.length - 1)) {
    throw value.fail(
      'a program with its arguments, such as "npm test *" or ["git", "log", "..."]; "..." may stand at the end',
    );
  }
  return pattern;
}

function readRule(value: JsonValue): Rule {
  const members = value.members(["decision", ...Object.keys(conditions)]);
  const decision = members.get("decision");
  if (decision === undefined) throw value.fail('an object with a "decision"');
  return {
    decision: readDecision(decision),
    isAboutCommands: members.has("command"),
    isExact: members.has("commandLine"),
    conditions: [...members].flatMap(([name, member]) => conditions[name]?.(member) ?? []),
  };
}

function readDecision(value: JsonValue): Decision {
  const word = value.text();
  if (word === "allow" || word === "deny" || word === "ask") return word;
  throw value.fail('"allow", "deny" or "ask"');
}

function isOneOf(value: JsonValue, read: (facts: PermissionFacts) => string | undefined): Condition {
  const allowed = new Set(value.texts());
  if (allowed.size === 0) throw value.fail("a text or several");
  return (facts) => {
    const said = read(facts);
    return said !== undefined && allowed.has(said);
  };
}

function known(value: JsonValue, words: readonly string[]): JsonValue {
  const isKnown = (word: string) => words.includes(word) || (words === KINDS && word.startsWith("_"));
  if (!value.texts().every(isKnown)) throw value.fail(`of ${words.join(", ")}`);
  return value;
}

/**
 * Returns `true` if a command matches a pattern. A `*` matches one argument, and a `...` at the end matches any number.
 * The name of the program must be equal. In a rule that allows, `*` and `...` match no option. The pattern must contain
 * each option that it allows.
 */
function fits(argv: readonly string[], pattern: readonly string[], decision: Decision): boolean {
  const isOpen = pattern.at(-1) === "...";
  if (!isOpen && argv.length !== pattern.length) return false;
  const words = isOpen ? [...pattern.slice(0, -1), "*"] : pattern;
  return fitsCommandPattern(argv, words, decision === "allow" ? "allow" : "deny");
}
