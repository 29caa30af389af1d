import { basename, dirname, join } from "node:path";
import { isInside } from "@turnkit/transport/node";
import { membersOf } from "../members.js";

/** Rules of a project, reduced to data that oxlint takes. */
export type ProjectLint = {
  /** Name of the file, for the user. */
  readonly name: string;
  readonly rules: Readonly<Record<string, unknown>>;
  readonly categories: Readonly<Record<string, unknown>>;
  readonly plugins: readonly string[];
  readonly env?: unknown;
  readonly globals?: unknown;
};

export type KnownRule = { readonly scope: string; readonly value: string };

/** Names of configuration files with data, and of configuration files that are programs. */
const FILES = [".oxlintrc.json", ".oxlintrc.jsonc", ".eslintrc.json"];
const PROGRAMS = /^(?:eslint\.config\.[cm]?[jt]s|\.eslintrc\.[cm]?js|oxlint\.config\.ts)$/;

/** Maximum length of a configuration in characters, and number of its rules. */
const MAX_LENGTH = 200_000;
const MAX_RULES = 2_000;

const CATEGORIES = new Set(["correctness", "suspicious", "pedantic", "perf", "style", "restriction", "nursery"]);

/** Configuration of the linter of a project: a file with data, or a program, which is never run. */
export type FoundLint = { readonly path: string; readonly isProgram: boolean };

/**
 * Finds the nearest configuration of a linter, from the folder of a file up to its root.
 *
 * @param list returns the names in a folder
 */
export async function findProjectLint(
  file: string,
  root: string,
  list: (folder: string) => Promise<readonly string[]>,
): Promise<FoundLint | undefined> {
  for (let folder = dirname(file); isInside(folder, [root]); folder = dirname(folder)) {
    const names = await list(folder).catch((): readonly string[] => []);
    const data = FILES.find((name) => names.includes(name));
    if (data !== undefined) return { path: join(folder, data), isProgram: false };
    const program = names.find((name) => PROGRAMS.test(name));
    if (program !== undefined) return { path: join(folder, program), isProgram: true };
    if (folder === dirname(folder)) break;
  }
  return undefined;
}

/**
 * Reads a configuration of oxlint or ESLint. Only levels, categories, plugins, environments and globals are taken. Rules
 * that oxlint does not have are left out. Code, such as `jsPlugins` and `extends`, is never loaded.
 *
 * @throws SyntaxError for a file that is not JSON with comments
 */
export function parseProjectLint(path: string, text: string, known: readonly KnownRule[]): ProjectLint {
  if (text.length > MAX_LENGTH) throw new SyntaxError("it is too long");
  const value = membersOf(JSON.parse(withoutComments(text)));
  const rules: Record<string, unknown> = {};
  const plugins = new Set<string>();
  for (const [name, level] of Object.entries(membersOf(value.rules)).slice(0, MAX_RULES)) {
    const rule = ruleOf(name, known);
    if (rule === undefined || !isLevel(level)) continue;
    rules[rule.scope === "eslint" ? rule.value : `${rule.scope}/${rule.value}`] = level;
    plugins.add(pluginOf(rule.scope));
  }
  const categories = Object.entries(membersOf(value.categories)).filter(
    ([name, level]) => CATEGORIES.has(name) && isLevel(level),
  );
  const flags = (given: unknown, allowed: readonly unknown[]) =>
    Object.fromEntries(Object.entries(membersOf(given)).filter(([, one]) => allowed.includes(one)));
  return {
    name: basename(path),
    rules,
    categories: Object.fromEntries(categories),
    plugins: [...plugins],
    env: flags(value.env, [true, false]),
    globals: flags(value.globals, [true, false, "readonly", "writable", "writeable", "readable", "off"]),
  };
}

function ruleOf(name: string, known: readonly KnownRule[]): KnownRule | undefined {
  const slash = name.lastIndexOf("/");
  const scope =
    slash < 0
      ? "eslint"
      : name
          .slice(0, slash)
          .replace(/^@/, "")
          .replace(/-eslint$|^eslint-plugin-/, "");
  const value = name.slice(slash + 1);
  const scopes = SCOPES.get(scope) ?? [scope];
  return known.find((rule) => rule.value === value && scopes.includes(rule.scope));
}

/** Scopes of oxlint by the names of ESLint's plugins. */
const SCOPES: ReadonlyMap<string, readonly string[]> = new Map([
  ["n", ["node"]],
  ["react-hooks", ["react"]],
  ["import-x", ["import"]],
  ["next", ["nextjs"]],
]);

const pluginOf = (scope: string): string => scope.replaceAll("_", "-");

function isLevel(level: unknown): boolean {
  const [first] = Array.isArray(level) ? level : [level];
  return ["off", "warn", "error", "allow", "deny", 0, 1, 2].includes(first as string);
}

/**
 * Matches strings, comments, and commas before a closing bracket. Only the strings are kept. A string or comment that is
 * not closed ends at the end of the text.
 */
const NOT_JSON = /("[^"\\]*(?:\\[\s\S][^"\\]*)*(?:"|\\?$))|\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|,(?=\s{0,200}[\]}])/g;

const withoutComments = (text: string): string =>
  text.replace(NOT_JSON, (_, string: string | undefined) => string ?? "");
