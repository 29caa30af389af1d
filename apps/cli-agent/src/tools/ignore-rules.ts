import { compileGlob, type GlobPattern } from "./glob-pattern.js";

/** Rules of a `.gitignore`. */
export type IgnoreRules = {
  /**
   * Returns true for an ignored path. What is in an ignored folder is ignored too, which is the caller's part: the rules do
   * not look at the parents.
   *
   * @param path relative to the folder of the rules, with `/`
   * @param isOver asked between rules; after true the path counts as not ignored
   */
  ignores(path: string, isFolder: boolean, isOver?: () => boolean): boolean;
};

type Rule = {
  readonly isNegative: boolean;
  readonly foldersOnly: boolean;
  /** Fits the whole path, or its last part. */
  readonly whole: boolean;
  readonly pattern: GlobPattern;
  /** Text with which the path or its last part begins. */
  readonly head: string;
};

/** Place of a rule without signs, by its kind. */
type Literal = { readonly index: number; readonly isNegative: boolean };

/** Signs of a pattern. */
const special = /[*?[\\]/;

/**
 * Reads the rules of a `.gitignore`, as Git does, case-sensitive. Rules are compared one by one from the last one, so a
 * path costs at most the product of its length and that of the rules. Rules that are plain names cost nothing. A rule above
 * 1 024 characters fits nothing.
 */
export function readIgnoreRules(text: string): IgnoreRules {
  const rules: (Rule | undefined)[] = [];
  /** Last rule for a plain name, for any entry and for folders. */
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
        if (rule.pattern.fits(tested)) return !rule.isNegative;
        if (isOver()) return false;
      }
      return found !== undefined && !found.isNegative;
    },
  };
}

function compileRule(source: string, kind: Pick<Rule, "isNegative" | "foldersOnly">): Rule | undefined {
  const whole = source.includes("/");
  const bare = source.startsWith("/") ? source.slice(1) : source;
  const first = bare.search(special);
  const head = first < 0 ? bare : bare.slice(0, first);
  // Git compares the text before the first sign apart, so `**` behind it begins a pattern.
  const pattern = compileGlob(bare, { start: [...head].length });
  return pattern && { ...kind, whole, pattern, head };
}

/** Removes the spaces at the end of a line, but for those behind a `\`. */
function withoutTrailingSpaces(line: string): string {
  let end = line.length;
  while (line[end - 1] === " ") end--;
  let escapes = 0;
  while (line[end - 1 - escapes] === "\\") escapes++;
  return line.slice(0, escapes % 2 === 1 && end < line.length ? end + 1 : end);
}
