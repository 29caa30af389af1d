import { compileGlob, type GlobPattern } from "./glob-pattern.js";

export type IgnoreRules = {
  /**
   * Returns `true` if a rule ignores the path. The parents of the path are not checked. The caller has to check them,
   * because all files in an ignored folder are ignored.
   *
   * @param path relative to the folder of the rules, with `/`
   * @param isOver called between rules. If it returns `true`, the path counts as not ignored.
   */
  ignores(path: string, isFolder: boolean, isOver?: () => boolean): boolean;
};

type Rule = {
  readonly isNegative: boolean;
  readonly foldersOnly: boolean;
  /** Returns `true` if the rule matches the whole path, or its last part. */
  readonly whole: boolean;
  /** Returns the compiled pattern. It is compiled for the first path that needs it. */
  readonly pattern: () => GlobPattern | undefined;
  /** Text with which the path, or its last part, must begin. */
  readonly head: string;
};

/** Position and kind of a rule without special characters. */
type Literal = { readonly index: number; readonly isNegative: boolean };

const special = /[*?[\\]/;

/**
 * Reads the rules of a `.gitignore` as Git does. Upper and lower case differ. Rules are compared one by one, starting
 * with the last rule. The cost of a path is at most proportional to the product of its length and the length of the
 * rules. Rules that are plain names cost almost nothing. A rule longer than 1 024 characters matches nothing.
 */
export function readIgnoreRules(text: string): IgnoreRules {
  const rules: (Rule | undefined)[] = [];
  /** Last rule for each plain name. `names` applies to all entries, and `folders` to folders only. */
  const names = new Map<string, Literal>();
  const folders = new Map<string, Literal>();
  for (const line of text.replace(/^\ufeff/, "").split("\n")) {
    const bare = withoutTrailingSpaces(line.endsWith("\r") ? line.slice(0, -1) : line);
    if (bare === "" || bare.startsWith("#")) continue;
    const isNegative = bare.startsWith("!");
    const given = isNegative ? bare.slice(1) : bare;
    const foldersOnly = given.endsWith("/");
    const source = foldersOnly ? given.slice(0, -1) : given;
    const literal = { index: rules.length, isNegative };
    if (source === "") continue;
    if (!special.test(source) && !source.includes("/")) {
      (foldersOnly ? folders : names).set(source, literal);
      rules.push(undefined);
    } else rules.push(compileRule(source, { isNegative, foldersOnly }));
  }
  return {
    ignores(path, isFolder, isOver = () => false) {
      const name = path.slice(path.lastIndexOf("/") + 1);
      let found = names.get(name);
      const folder = isFolder ? folders.get(name) : undefined;
      if (folder && folder.index > (found?.index ?? -1)) found = folder;
      for (let index = rules.length - 1; index > (found?.index ?? -1); index--) {
        const rule = rules[index];
        const tested = rule?.whole ? path : name;
        if (rule === undefined || (rule.foldersOnly && !isFolder) || !tested.startsWith(rule.head)) continue;
        if (rule.pattern()?.fits(tested) === true) return !rule.isNegative;
        if (isOver()) return false;
      }
      return found !== undefined && !found.isNegative;
    },
  };
}

function compileRule(source: string, kind: Pick<Rule, "isNegative" | "foldersOnly">): Rule {
  const whole = source.includes("/");
  const bare = source.startsWith("/") ? source.slice(1) : source;
  const first = bare.search(special);
  const head = first < 0 ? bare : bare.slice(0, first);
  let compiled: { readonly pattern: GlobPattern | undefined } | undefined;
  const pattern = () => {
    // Git compares the text before the first special character separately, so `**` after this text begins a pattern.
    compiled ??= { pattern: compileGlob(bare, { start: [...head].length }) };
    return compiled.pattern;
  };
  return { ...kind, whole, pattern, head };
}

/** Removes the spaces at the end of a line. Spaces after a `\` stay. */
function withoutTrailingSpaces(line: string): string {
  let end = line.length;
  while (line[end - 1] === " ") end--;
  let escapes = 0;
  while (line[end - 1 - escapes] === "\\") escapes++;
  return line.slice(0, escapes % 2 === 1 && end < line.length ? end + 1 : end);
}
