/** `@path` in a text. */
export type Mention = {
  /** Mention as it was typed, without punctuation after it. */
  readonly typed: string;
  /** Paths that the mention may mean, the longest first. A quoted mention has one path. */
  readonly paths: readonly string[];
  readonly isQuoted: boolean;
};

/** Maximum number of mentions that are read. Later ones are plain text. */
const MAX_MENTIONS = 500;
/** Maximum length of a path, in characters. */
const MAX_PATH = 4096;
/** Maximum number of characters after a path that count as punctuation. */
const MAX_PUNCTUATION = 8;

// An `@` inside a word belongs to an address, a package or a URL.
const NO_WORD_BEFORE = String.raw`(?<![\p{Script=Latin}\p{N}_.%+\-/\\@])`;
const mention = new RegExp(
  `${NO_WORD_BEFORE}@(?:"([^"\\n]{1,${MAX_PATH}})"|'([^'\\n]{1,${MAX_PATH}})'|((?:\\\\ |\\S){1,${MAX_PATH}}))`,
  "gu",
);
// A backslash after `C:` is a part of a path.
const escaped = new RegExp(`${NO_WORD_BEFORE}(?<!:)\\\\@`, "gu");
const PUNCTUATION = /[.,;:!?)\]}>'"`…»”’。、，；：！？）」]$/u;
/** Line of a file, as in `a.ts:12`, `a.ts:12:3` and `a.ts#L3-L9`. */
const LINE = /(?::\d{1,9}(?:[:-]\d{1,9})?|#L\d{1,9}(?:-L?\d{1,9})?)$/;

/**
 * Returns the mentions of a text, each path once. A mention begins with `@`, outside of a word. `\@` does not begin a
 * mention.
 */
export function findMentions(text: string): readonly Mention[] {
  const found = new Map<string, Mention>();
  for (const [, double, single, bare] of text.matchAll(mention)) {
    if (found.size >= MAX_MENTIONS) break;
    const quoted = double ?? single;
    if (found.has(quoted ?? withSpaces(bare))) continue;
    const paths = quoted === undefined ? pathsOf(bare ?? "") : [quoted];
    const [longest] = paths;
    if (longest === undefined || found.has(longest)) continue;
    found.set(longest, { typed: `@${typedOf(paths, quoted)}`, paths, isQuoted: quoted !== undefined });
  }
  return [...found.values()];
}

/** Returns the text that the agent gets: `\@` becomes `@`. */
export function withoutEscapes(text: string): string {
  return text.replace(escaped, "@");
}

/** Returns the mention of a path. Returns `undefined` for a path that no mention can express. */
export function mentionOf(path: string): string | undefined {
  if (/[\p{Cc}\p{Bidi_Control}\u2028\u2029]/u.test(path) || path.length > MAX_PATH) return undefined;
  if (/^[^\s\\"'#]*[\p{L}\p{N}_/]$/u.test(path)) return `@${path}`;
  if (!path.includes('"')) return `@"${path}"`;
  return path.includes("'") ? undefined : `@'${path}'`;
}

/** Returns the text of an unquoted mention, in which a space has a backslash before it. */
function withSpaces(word = ""): string {
  return word.replaceAll("\\ ", " ");
}

/** Returns the paths that an unquoted mention may mean. Text after a path often has no space before it. */
function pathsOf(word: string): readonly string[] {
  const typed = withSpaces(word);
  const paths = [typed];
  let rest = typed;
  for (let count = 0; count < MAX_PUNCTUATION && PUNCTUATION.test(rest); count++) {
    rest = rest.replace(PUNCTUATION, "");
    paths.push(rest);
  }
  const bare = rest.replace(LINE, "");
  const ascii = /^[\x20-\x7e]*/.exec(bare)?.[0] ?? "";
  const all = new Set([...paths, bare, ascii].filter((path) => !/^\.*$/.test(path)));
  return [...all];
}

function typedOf(paths: readonly string[], quoted: string | undefined): string {
  if (quoted !== undefined) return `"${quoted}"`;
  return paths.find((path) => !PUNCTUATION.test(path)) ?? paths[0] ?? "";
}

/** Beginning of a mention before the cursor: its first character, and the path so far. */
export type TypedMention = { readonly start: number; readonly path: string };

/** Maximum length of a typed mention, in characters. */
const MAX_TYPED = 300;

/** Returns the mention that a person types before the cursor. A mention begins with `@` after a space or a bracket. */
export function mentionBefore(input: { readonly text: string; readonly cursor: number }): TypedMention | undefined {
  const { text, cursor } = input;
  const line = text.slice(text.lastIndexOf("\n", cursor - 1) + 1, cursor).slice(-MAX_TYPED);
  const found = /(?:^|[\s([{])@(?:"([^"]*)|([^\s"'@]*))$/.exec(line);
  if (found === null) return undefined;
  const [whole, quoted, bare] = found;
  return { start: cursor - whole.length + whole.indexOf("@"), path: quoted ?? bare ?? "" };
}
