import type { PermissionFacts, PermissionVerdict } from "@turnkit/client/broker";
import { type JsonValue, requireJsonFile } from "./json-file.js";

/** Decision by structured facts; `undefined` leaves the question to a person. */
export type Judge = (facts: PermissionFacts) => PermissionVerdict;

type Decision = "allow" | "deny" | "ask";
type Condition = (facts: PermissionFacts) => boolean;
type Rule = { readonly decision: Decision; readonly conditions: readonly Condition[] };

const verdicts: Readonly<Record<Decision, PermissionVerdict>> = { allow: "allow", deny: "reject", ask: undefined };

/**
 * Reads a policy file. The first of its `rules` whose conditions all hold decides, else `default` (`ask` if absent).
 * Conditions use structured fields only, never titles.
 *
 * @throws UsageError that names the place of a fault
 */
export async function readPolicyFile(path: string): Promise<Judge> {
  const members = (await requireJsonFile("--permissions", path)).members(["default", "rules"]);
  const usual = members.get("default");
  const otherwise = usual === undefined ? "ask" : readDecision(usual);
  const rules = members.get("rules")?.items().map(readRule) ?? [];
  return (facts) => {
    const rule = rules.find(({ conditions }) => conditions.every((holds) => holds(facts)));
    return verdicts[rule?.decision ?? otherwise];
  };
}

/** Conditions of a rule, by name. */
const conditions: Readonly<Record<string, (value: JsonValue) => Condition>> = {
  agent: (value) => isOneOf(value, ({ agent }) => agent.name),
  kind: (value) => isOneOf(value, ({ kind }) => kind),
  tool: (value) => isOneOf(value, ({ tool }) => tool),
  subject: (value) => isOneOf(known(value, ["tool_call", "command", "none", "unknown"]), ({ subject }) => subject),
  place: (value) => isOneOf(known(value, ["inside", "outside", "none"]), ({ place }) => place),
  command: (value) => {
    const pattern = value.items().map((item) => item.text());
    const early = pattern.indexOf("...");
    if (pattern.length === 0 || pattern[0] === "..." || (early !== -1 && early !== pattern.length - 1)) {
      throw value.fail('a program with its arguments, such as ["git", "log", "..."]; "..." may stand at the end');
    }
    return ({ argv }) => argv !== undefined && fits(argv, pattern);
  },
  commandLine: (value) => isOneOf(value, ({ commandLine }) => commandLine),
};

function readRule(value: JsonValue): Rule {
  const members = value.members(["decision", ...Object.keys(conditions)]);
  const decision = members.get("decision");
  if (decision === undefined) throw value.fail('an object with a "decision"');
  return {
    decision: readDecision(decision),
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
  if (value.texts().some((word) => !words.includes(word))) throw value.fail(`of ${words.join(", ")}`);
  return value;
}

/**
 * Returns whether a command fits a pattern. `*` stands for one argument, a final `...` for any number. The program is
 * named in full.
 */
function fits(argv: readonly string[], pattern: readonly string[]): boolean {
  const isOpen = pattern.at(-1) === "...";
  const words = isOpen ? pattern.slice(0, -1) : pattern;
  if (isOpen ? argv.length < words.length : argv.length !== words.length) return false;
  return words.every((word, index) => word === argv[index] || (word === "*" && index > 0));
}
