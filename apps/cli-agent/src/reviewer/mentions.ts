import { posix } from "node:path";
import { fileURLToPath } from "node:url";
import type { ContentBlock } from "@turnkit/agent";
import { isLintable } from "../lint/rules.js";

/** A file that the prompt names. `text` came along with it, as an embedded resource. */
export type Mention = { readonly path: string; readonly text?: string };

/** Words that end like a file and mean a product, when nobody quotes them. */
const PRODUCTS = /^(node|next|nuxt|vue|react|angular|express|three|d3|chart|alpine|ember|backbone|moment|solid)\.js$/i;
/** Endings that mean a file in any sentence, although nothing here can check it. */
const OTHER_FILES =
  /\.(jsonc?|md|txt|html?|s?css|vue|svelte|py|rs|go|java|kt|rb|php|cs?|cpp|h|sh|ya?ml|toml|png|jpe?g|gif|webp|pdf|zip|wasm|bin)$/i;

/** Single quotes count at the start of a word only: `don't` begins no quotation. Commands stand between backticks. */
const QUOTED = /`([^`\s]+)`|"([^"\n]+)"|(?<!\w)'([^'\n]+)'|“([^”\n]+)”|«([^»\n]+)»/g;
const WORD = /[^\s`"'“”«»<>|*?()[\]{},;]+/g;
const LINE_SUFFIX = /(?::\d+(?::\d+)?|#L\d+(?:-L?\d+)?)$/;

/**
 * The files that a prompt names, each once, in the order in which they appear: resource links, embedded resources and
 * paths in the text. What was attached wins over a path in the text that means the same file.
 */
export function findMentions(prompt: readonly ContentBlock[]): Mention[] {
  const found: (Mention & { readonly attached: boolean })[] = [];
  for (const block of prompt) {
    if (block.type === "resource_link") found.push({ path: pathOf(block.uri), attached: true });
    else if (block.type === "resource") {
      const { resource } = block;
      const text = "text" in resource ? { text: resource.text } : {};
      found.push({ path: pathOf(resource.uri), ...text, attached: true });
    } else if (block.type === "text") {
      for (const path of pathsInText(block.text)) found.push({ path, attached: false });
    }
  }
  const kept = found.filter((mention, index) => {
    const same = found.filter((other) => isSameFile(other.path, mention.path));
    const best = same.find(({ text }) => text !== undefined) ?? same.find(({ attached }) => attached) ?? same[0];
    return found.indexOf(best ?? mention) === index;
  });
  return kept.map(({ path, text }) => (text === undefined ? { path } : { path, text }));
}

/** The paths in a text, as they stand there: quoted ones may have spaces, others must look like a path. */
export function pathsInText(text: string): string[] {
  const found: { readonly at: number; readonly path: string }[] = [];
  let rest = text;
  for (const match of text.matchAll(QUOTED)) {
    const { 0: whole, index } = match;
    const path = clean(match.slice(1).find((group) => group !== undefined) ?? "");
    if (!looksLikePath(path) && !isQuotedPath(path)) continue;
    found.push({ at: index, path });
    rest = rest.slice(0, index) + " ".repeat(whole.length) + rest.slice(index + whole.length);
  }
  for (const { 0: word, index } of rest.matchAll(WORD)) {
    const path = clean(word);
    if (looksLikePath(path) && !PRODUCTS.test(path)) found.push({ at: index, path });
  }
  return [...new Set(found.sort((a, b) => a.at - b.at).map(({ path }) => pathOf(path)))];
}

function clean(word: string): string {
  const bare = word.trim().replace(/[.,:!?…]+$/, "");
  return bare.replace(LINE_SUFFIX, "").replace(/^@(?=.)/, "");
}

function looksLikePath(word: string): boolean {
  if (/^[a-z][a-z\d+.-]+:\/\//i.test(word)) return word.startsWith("file://");
  const relative = /^\.{1,2}[/\\]./.test(word);
  // One name after a slash is a command: `/review`.
  const absolute = /^(?:\/[^/]+|[A-Za-z]:)[/\\]./.test(word);
  const folder = /^[\w.-]+(?:\/[\w.-]+)*\/$/.test(word);
  const named = isLintable(word) || (OTHER_FILES.test(word) && /^[^.]/.test(word));
  return relative || absolute || folder || named;
}

/** Between quotes a slash is enough. */
function isQuotedPath(word: string): boolean {
  return /^[\w.-]+(?:\/[\w.-]+)+$/.test(word);
}

/** The path of a file URI; another URI stays as it is, as a name. */
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

/** Whether two names can be meant for one file: `./src/a.ts` and `/home/me/src/a.ts`. */
function isSameFile(a: string, b: string): boolean {
  const [left, right] = [comparable(a), comparable(b)];
  return left === right || isWholePathOf(left, right) || isWholePathOf(right, left);
}

function isWholePathOf(whole: string, part: string): boolean {
  return /^(?:\/|[A-Za-z]:)/.test(whole) && whole.endsWith(`/${part}`);
}

function comparable(path: string): string {
  return posix.normalize(pathOf(path).replaceAll("\\", "/"));
}
