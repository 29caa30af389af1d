import { posix } from "node:path";
import { fileURLToPath } from "node:url";
import type { ContentBlock } from "@turnkit/agent";
import { isLintable } from "../lint/oxlint.js";

export const MAX_FILES = 5;

/**
 * Parses a prompt. The result is `help`, `changes` for a `/review` alone, or the files to review and the number of further
 * files that are left out. A `/review` at the start is ignored.
 */
export function readRequest(
  prompt: readonly ContentBlock[],
): "help" | "changes" | { readonly files: readonly Mention[]; readonly omitted: number } {
  const first = prompt.find((block) => block.type === "text");
  if (first?.type === "text" && /^\s*\/help(?!\S)/.test(first.text)) return "help";
  const files = findMentions(prompt);
  if (files.length === 0 && first?.type === "text" && /^\s*\/review\s*$/.test(first.text)) return "changes";
  return { files: files.slice(0, MAX_FILES), omitted: Math.max(0, files.length - MAX_FILES) };
}

const MAX_MENTIONS = 500;

/** File that a prompt mentions. `text` is its content from an embedded resource. */
export type Mention = { readonly path: string; readonly text?: string };

/** Names of products that look like file names, such as `node.js`. In quotes they count as files. */
const PRODUCTS = /^(node|next|nuxt|vue|react|angular|express|three|d3|chart|alpine|ember|backbone|moment|solid)\.js$/i;
/** Extensions that mark a word as a file although the reviewer cannot check such files. */
const OTHER_FILES =
  /\.(jsonc?|md|txt|html?|s?css|vue|svelte|py|rs|go|java|kt|rb|php|cs?|cpp|h|sh|ya?ml|toml|png|jpe?g|gif|webp|pdf|zip|wasm|bin)$/i;

/**
 * Parts of a text between quotes or backticks. A single quote counts only at the start of a word, because of words such
 * as `don't`.
 */
const QUOTED = /`([^`\s]{1,400})`|"([^"\n]{1,400})"|(?<!\w)'([^'\n]{1,400})'|“([^”“\n]{1,400})”|«([^»«\n]{1,400})»/g;
/** Character that every path has. */
const MARK = /[./\\]/;
const WORD = /[^\s`"'“”«»<>|*?()[\]{},;]+/g;
const LINE_SUFFIX = /(?::\d+(?::\d+)?|#L\d+(?:-L?\d+)?)$/;

/**
 * Returns the files that a prompt mentions, each once, in order of appearance. Sources are resource links, embedded
 * resources and paths in the text. If an attachment and a path in the text mean the same file, the attachment counts.
 * Only the first 500 mentions are read.
 */
export function findMentions(prompt: readonly ContentBlock[]): Mention[] {
  const found: (Mention & { readonly attached: boolean })[] = [];
  for (const block of prompt) {
    if (found.length >= MAX_MENTIONS) break;
    if (block.type === "resource_link") found.push({ path: pathOf(block.uri), attached: true });
    else if (block.type === "resource") {
      const { resource } = block;
      const text = "text" in resource ? { text: resource.text } : {};
      found.push({ path: pathOf(resource.uri), ...text, attached: true });
    } else if (block.type === "text") {
      for (const path of pathsInText(block.text)) found.push({ path, attached: false });
    }
  }
  const read = found.slice(0, MAX_MENTIONS).map((mention) => ({ ...mention, plain: plainPath(mention.path) }));
  const kept = read.filter((mention) => {
    const same = read.filter((other) => isSameFile(other.plain, mention.plain));
    const best = same.find(({ text }) => text !== undefined) ?? same.find(({ attached }) => attached) ?? same[0];
    return best === mention;
  });
  return kept.map(({ path, text }) => (text === undefined ? { path } : { path, text }));
}

/**
 * Returns the paths in a text as the user wrote them. Paths in quotes may contain spaces. Other words must look like a
 * path.
 */
export function pathsInText(text: string): string[] {
  const found: { readonly at: number; readonly path: string }[] = [];
  /** The text, with spaces in place of the paths between quotes. */
  const rest: string[] = [];
  let at = 0;
  for (const match of text.matchAll(QUOTED)) {
    if (found.length === MAX_MENTIONS) break;
    const { 0: whole, index } = match;
    if (!MARK.test(whole)) continue;
    const path = clean(match.slice(1).find((group) => group !== undefined) ?? "");
    // A quoted word with a slash is a path too.
    if (!looksLikePath(path) && !/^[\w.-]+(?:\/[\w.-]+)+$/.test(path)) continue;
    found.push({ at: index, path });
    rest.push(text.slice(at, index), " ".repeat(whole.length));
    at = index + whole.length;
  }
  for (const { 0: word, index } of `${rest.join("")}${text.slice(at)}`.matchAll(WORD)) {
    if (found.length >= 2 * MAX_MENTIONS) break;
    if (!MARK.test(word)) continue;
    const path = clean(word);
    if (looksLikePath(path) && !PRODUCTS.test(path)) found.push({ at: index, path });
  }
  return [...new Set(found.sort((a, b) => a.at - b.at).map(({ path }) => pathOf(path)))];
}

function clean(word: string): string {
  const bare = word.trim().replace(/[.,:!?…]{1,16}$/, "");
  return bare.replace(LINE_SUFFIX, "").replace(/^@(?=.)/, "");
}

function looksLikePath(word: string): boolean {
  if (/^[a-z][a-z\d+.-]+:\/\//i.test(word)) return word.startsWith("file://");
  const relative = /^\.{1,2}[/\\]./.test(word);
  // A slash with a single name is a command, such as `/review`.
  const absolute = /^(?:\/[^/]+|[A-Za-z]:)[/\\]./.test(word);
  const folder = /^[\w.-]+(?:\/[\w.-]+)*\/$/.test(word);
  const named = isLintable(word) || (OTHER_FILES.test(word) && /^[^.]/.test(word));
  return relative || absolute || folder || named;
}

/** Returns the path of a file URI. Every other URI is returned unchanged. */
function pathOf(uri: string): string {
  if (!uri.startsWith("file://")) return uri;
  try {
    const url = new URL(uri);
    url.hash = "";
    url.search = "";
    return fileURLToPath(url);
  } catch {
    return uri;
  }
}

/** Maximum length of a path that is normalised. `normalize` takes quadratic time for many `..`. */
const MAX_PATH = 4096;

/** Returns a path in the form that {@link isSameFile} compares. */
function plainPath(path: string): string {
  if (path.length > MAX_PATH) return path;
  return posix.normalize(pathOf(path).replaceAll("\\", "/"));
}

/** Returns `true` if two names can mean the same file, such as `src/a.ts` and `/home/me/src/a.ts`. */
function isSameFile(left: string, right: string): boolean {
  const isEndOf = (part: string, whole: string) => /^(?:\/|[A-Za-z]:)/.test(whole) && whole.endsWith(`/${part}`);
  return left === right || isEndOf(left, right) || isEndOf(right, left);
}

/**
 * Changed files that the reviewer has rules for, the number of such files that are left out, and the number of other
 * files.
 */
type Changes = { readonly files: readonly Mention[]; readonly omitted: number; readonly others: number };

/** Line of `git_diff` about a file that still exists: its kind of change, and its path from the session's folder. */
const LINE = /^(added|changed|untracked)\t(.+)$/;

/** Reads the list of names that `git_diff` returns. Deleted files and notes are left out. */
export function readChanges(text: string): Changes {
  const paths = text.split("\n").flatMap((line) => LINE.exec(line)?.[2] ?? []);
  const known = paths.filter(isLintable);
  return {
    files: known.slice(0, MAX_FILES).map((path) => ({ path })),
    omitted: Math.max(0, known.length - MAX_FILES),
    others: paths.length - known.length,
  };
}
