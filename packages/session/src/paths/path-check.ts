import { type PathRules, pathRules } from "./path-rules.js";

/**
 * Check of paths with a list of patterns. Each method returns the pattern that matches a path, or `undefined` if none
 * matches.
 */
export type PathCheck = {
  /** Returns the pattern of protected or secret files that matches. Use it before a write. */
  protectedBy(path: string): string | undefined;
  /** Returns the pattern of secret files that matches. Use it before a read. */
  secretBy(path: string): string | undefined;
};

/**
 * Length in UTF-16 units above which every path counts as matched. It also applies to the normalised form of a path.
 * Linux and macOS cannot open a longer path.
 */
const MAX_PATH_LENGTH = 4_096;

/**
 * Creates a check of paths with {@link pathRules} and further patterns. The further patterns come last, so they can
 * undo others with `!`.
 *
 * File systems compare names in different ways. The check combines their rules, so it ignores:
 *
 * - upper and lower case, Unicode forms, invisible characters
 * - the difference between `\` and `/`, and parts such as `./` and `..`
 * - dots and spaces at the end, names of streams (`.env::$DATA`), and short names (`GIT~1`)
 *
 * Links are not followed. A caller with access to the disk has to check the real path too.
 */
export function createPathCheck({ protected: more = [], secret: moreSecret = [] }: Partial<PathRules> = {}): PathCheck {
  const guarded = createMatcher([...pathRules.protected, ...more]);
  const secret = createMatcher([...pathRules.secret, ...moreSecret]);
  return { secretBy: secret, protectedBy: (path) => guarded(path) ?? secret(path) };
}

type Pattern = {
  readonly source: string;
  readonly parts: readonly string[];
  /** First character of the first part. */
  readonly first: string | undefined;
  readonly isException: boolean;
  readonly isFolder: boolean;
  readonly isRooted: boolean;
};

function createMatcher(sources: readonly string[]): (path: string) => string | undefined {
  // The rules are read at the first check, because reading takes some milliseconds and many programs check no path.
  let patterns: readonly Pattern[] | undefined;
  return (path) => {
    // The last match counts, so the search begins at the end.
    patterns ??= sources.map(readPattern).reverse();
    if (path.length > MAX_PATH_LENGTH) return "(too long)";
    const parts = partsOf(path);
    // A character may become eighteen characters.
    if (parts.reduce((sum, part) => sum + part.length, 0) > MAX_PATH_LENGTH) return "(too long)";
    const isAbsolute = /^(?:[a-z]:)?[\\/]/i.test(path);
    // Most patterns begin with a dot and most names do not, so the first characters decide quickly. Short names are rare.
    const firsts = new Set(parts.map((part) => part[0]));
    const isAny = path.includes("~");
    const found = patterns.find(
      (pattern) => (isAny || pattern.first === "*" || firsts.has(pattern.first)) && covers(pattern, parts, isAbsolute),
    );
    return found === undefined || found.isException ? undefined : found.source;
  };
}

function readPattern(source: string): Pattern {
  const isException = source.startsWith("!");
  const bare = isException ? source.slice(1) : source;
  const isFolder = bare.endsWith("/**");
  const parts = partsOf(isFolder ? bare.slice(0, -3) : bare);
  return {
    source,
    parts,
    first: parts[0]?.[0],
    isException,
    isFolder,
    isRooted: bare.startsWith("/"),
  };
}

function covers(
  { parts, isFolder, isRooted, isException }: Pattern,
  path: readonly string[],
  isAbsolute: boolean,
): boolean {
  const last = path.length - parts.length;
  if (last < 0 || (isRooted && !isAbsolute)) return false;
  const ends = isRooted ? 0 : last;
  // A short name can belong to many files, so an exception does not apply to it.
  const matches = isException ? matchesPart : matchesAnyName;
  for (let at = isFolder || isRooted ? 0 : last; at <= ends; at += 1) {
    if (!isFolder && at !== last) continue;
    if (parts.every((part, index) => matches(part, path[at + index] ?? ""))) return true;
  }
  return false;
}

const matchesAnyName = (pattern: string, part: string): boolean =>
  matchesPart(pattern, part) || isShortName(pattern, part);

/**
 * Matches one part of a path. `*` matches any characters. After a mismatch, the search continues at the last `*` only,
 * so the time is bounded.
 */
function matchesPart(pattern: string, part: string): boolean {
  let at = 0;
  let from = 0;
  let star = -1;
  let resume = 0;
  while (from < part.length) {
    if (pattern[at] === "*") {
      star = at;
      at += 1;
      resume = from;
    } else if (pattern[at] === part[from]) {
      at += 1;
      from += 1;
    } else if (star >= 0) {
      resume += 1;
      from = resume;
      at = star + 1;
    } else return false;
  }
  while (pattern[at] === "*") at += 1;
  return at === pattern.length;
}

/**
 * Returns `true` if Windows may use the short name for the pattern. Examples are `git~1` for `.git`, `gi7eba~1` if four
 * names begin in the same way, and `x~1.cod` for `x.code-workspace`.
 */
function isShortName(pattern: string, part: string): boolean {
  if (!part.includes("~")) return false;
  const [, short, digits = "", ending = ""] = /^([^~.]{1,6})~(\d{1,6})(?:\.([^.]*))?$/.exec(part) ?? [];
  if (short === undefined) return false;
  const bare = pattern.replace(/^[.*]+/, "");
  const last = bare.slice(bare.lastIndexOf(".") + 1);
  // A pattern that starts with `*` fits every beginning of a name, so its ending decides.
  if (pattern.startsWith("*") && last.length > 3) return ending !== "" && last.startsWith(ending);
  const [stem = ""] = bare
    .replace(/[+,;=[\]]/g, "_")
    .replaceAll(" ", "")
    .split(/[.*]/);
  if (stem === "") return false;
  const isHash = /^[^.]{0,2}[0-9a-f]{4}$/.test(short) && short.slice(0, -4) === stem.slice(0, 2);
  // Each additional digit replaces a letter of the name. `*` or another dot of the pattern may match text after the
  // short name.
  return isHash || short === stem.slice(0, 7 - digits.length) || (bare.length > stem.length && short.startsWith(stem));
}

/**
 * Characters that some file systems ignore or people do not see: joiners, direction marks, variation selectors,
 * controls.
 */
const IGNORED = /[\p{Cc}\p{Default_Ignorable_Code_Point}]/gu;

/** Returns the parts of a path in a normalised form. `.` is removed, and `..` is resolved by names. */
function partsOf(path: string): readonly string[] {
  const parts: string[] = [];
  // The drive letter of `C:.env` is a part of its own.
  for (const part of path.replace(/^([a-z]:)/i, "$1/").split(/[\\/]/)) {
    if (part === "" || part === ".") continue;
    if (part === "..") {
      parts.pop();
      continue;
    }
    const plain = spelled(part);
    if (plain !== "") parts.push(plain);
  }
  return withoutAliases(parts);
}

/** Replaces additional names that macOS gives to folders, such as `/private/etc` for `/etc`. */
function withoutAliases(parts: readonly string[]): readonly string[] {
  const rest = parts.slice(0, 3).join("/") === "system/volumes/data" ? parts.slice(3) : parts;
  return rest[0] === "private" && /^(?:etc|var|tmp)$/.test(rest[1] ?? "") ? rest.slice(1) : rest;
}

function spelled(part: string): string {
  // The conversion to upper case comes first, because only this conversion changes `ß` to `ss`, and a long s to an s.
  const folded = part.normalize("NFKC").replace(IGNORED, "").toUpperCase().toLowerCase().normalize("NFKC");
  const colon = folded.indexOf(":");
  const name = colon > 0 ? folded.slice(0, colon) : folded;
  let end = name.length;
  while (name[end - 1] === "." || name[end - 1] === " ") end -= 1;
  return name.slice(0, end);
}
