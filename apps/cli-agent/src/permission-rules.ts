import { realpathSync } from "node:fs";
import { relative } from "node:path";
import { commandsIn, fitsCommandPattern, parseCommandLine } from "@turnkit/session/command";
import { isInside } from "@turnkit/transport/node";
import type { Action, Rule, Ruling } from "./action.js";
import type { ProjectPart } from "./config/project-part.js";
import { compileGlob } from "./tools/glob-pattern.js";

/** Reason for a question about a line that no rule can read. */
const UNREADABLE = "a line that rules cannot read";

/**
 * Creates the decision of permission rules. Of several rules that fit, a rule that denies is used first, then a rule
 * that asks.
 *
 * - `edit PATTERN`: paths relative to the session's folder, or absolute
 * - `run WORDS`: the words of a command; `*` is one word, and at the end any number of words
 * - `fetch ORIGIN`: an origin such as `https://example.com`, or `*`
 * - `mcp SERVER/TOOL`: a tool; each part may end with `*`
 *
 * A rule allows a line only if it can be read, each of its commands is allowed, and Git starts no program for it.
 *
 * @param parts settings of the user, and of the project
 * @param cwd folder of the session
 */
export function createPermissionRules(parts: readonly ProjectPart[], cwd: string): Rule {
  const lists = parts.flatMap(({ permissions }) => permissions ?? []);
  const find = (decision: Ruling["decision"], action: Action): Ruling | undefined => {
    const rules = lists.flatMap((list) => list[decision] ?? []).filter((rule) => rule.startsWith(`${kindOf(action)} `));
    const [rule] = rules.length > 0 ? fitting(action, rules, { decision, cwd }) : [];
    return rule === undefined ? undefined : { decision, rule };
  };
  const limitsCommands = lists.some(({ deny = [], ask = [] }) =>
    [...deny, ...ask].some((rule) => rule.startsWith("run ")),
  );
  return (action) => {
    if (kindOf(action) === undefined) return undefined;
    const limit = find("deny", action) ?? find("ask", action);
    if (limit !== undefined) return limit;
    // If a line hides its commands, a person decides about the line.
    if (limitsCommands && action.type === "command" && parseCommandLine(action.line) === undefined) {
      return { decision: "ask", rule: UNREADABLE };
    }
    return find("allow", action);
  };
}

const KINDS: Readonly<Record<Action["type"], string | undefined>> = {
  edit: "edit",
  command: "run",
  fetch: "fetch",
  mcp: "mcp",
  // No rule can allow reading a secret file, or a file outside of the session's folders.
  secret: undefined,
  outside: undefined,
};

const kindOf = ({ type }: Action): string | undefined => KINDS[type];

/** Returns the rules that fit an action. All of them have its kind. */
function fitting(
  action: Action,
  rules: readonly string[],
  { decision, cwd }: { readonly decision: Ruling["decision"]; readonly cwd: string },
): readonly string[] {
  const bodyOf = (rule: string) => rule.slice(rule.indexOf(" ") + 1).trim();
  switch (action.type) {
    case "edit": {
      const root = realpathSync(cwd);
      const isAbsolute = (pattern: string) => /^(?:\/|[a-z]:)/i.test(pattern);
      const inner = isInside(action.path, [root]) ? relative(root, action.path) : undefined;
      return rules.filter((rule) => {
        const path = isAbsolute(bodyOf(rule)) ? action.path : inner;
        return path !== undefined && compileGlob(bodyOf(rule), { braces: true })?.fits(path.replaceAll("\\", "/"));
      });
    }
    case "command":
      return fittingCommands(
        action,
        rules.map((rule) => [rule, bodyOf(rule).split(/\s+/)]),
        decision,
      );
    case "fetch":
      return rules.filter((rule) => bodyOf(rule) === "*" || bodyOf(rule).replace(/\/$/, "") === action.origin);
    case "mcp":
      return rules.filter((rule) => {
        const [server = "", tool = "*"] = bodyOf(rule).split(/\/(.*)/s);
        return fitsStart(server, action.server) && fitsStart(tool, action.tool);
      });
    default:
      return [];
  }
}

function fittingCommands(
  { line, programs, place }: Extract<Action, { type: "command" }>,
  rules: readonly (readonly [rule: string, words: readonly string[]])[],
  decision: Ruling["decision"],
): readonly string[] {
  if (decision === "allow") {
    const startsMore = programs !== undefined && programs.length > 0;
    const commands = startsMore || place.isException ? undefined : commandsIn(line);
    const found = commands?.map((command) => rules.find(([, words]) => fitsCommandPattern(command, words))?.[0]);
    return found?.every((rule) => rule !== undefined) ? found : [];
  }
  const parsed = parseCommandLine(line)?.map(({ words }) => words.map(({ text }) => text)) ?? [];
  // `sh -c LINE` also counts as LINE.
  const commands = [...parsed, ...parsed.flatMap((command) => commandsIn(command) ?? [])];
  const fits = (words: readonly string[]) => commands.some((command) => fitsCommandPattern(command, words, "deny"));
  return rules.filter(([, words]) => fits(words)).map(([rule]) => rule);
}

/** Returns `true` if a pattern of the settings is the name, or with `*` at its end, the start of the name. */
export const fitsStart = (pattern: string, name: string): boolean =>
  pattern.endsWith("*") ? name.startsWith(pattern.slice(0, -1)) : name === pattern;
