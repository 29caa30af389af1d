import { isAbsolute } from "node:path";
import { showControls } from "../sanitise.js";
import { displayPath } from "./display-path.js";
import { type Line, moreLines, type Span } from "./line.js";
import type { Style } from "./style.js";
import { changedWords, type WordSpan } from "./word-changes.js";

export type PatchOptions = {
  /** Text before every line. Default: two spaces. */
  readonly gutter?: string;
  /** Maximum number of lines. "… N more lines" replaces the lines beyond it. */
  readonly limit?: number;
  /** Directory of the session. Names of files inside it are shown relative to it. */
  readonly directory?: string;
};

/** Maximum number of lines of one patch. A patch that a person has to approve has no maximum. */
export const MAX_LINES = 200;

/** Maximum number of pairs of lines of one patch whose words are compared. */
const MAX_PAIRS = 200;

/**
 * Returns a text in unified diff format as lines. Control characters are visible. Changed words of a changed line have a
 * style of their own.
 */
export function patchLines(
  patch: string,
  { gutter = "  ", limit = MAX_LINES, directory }: PatchOptions = {},
): readonly Line[] {
  const text = showControls(patch);
  const all = (text.endsWith("\n") ? text.slice(0, -1) : text).split("\n");
  const shown = all.length > limit ? all.slice(0, limit) : all;
  const lines = coloured(shown, gutter, directory, Number.isFinite(limit));
  return all.length > limit ? [...lines, [gutter, ["dim", moreLines(all.length - limit)]]] : lines;
}

function coloured(
  texts: readonly string[],
  gutter: string,
  directory: string | undefined,
  isShort: boolean,
): readonly Line[] {
  const lines: Line[] = [];
  const blank: Line = [gutter.trimEnd()];
  let inHunk = false;
  let pairs = MAX_PAIRS;
  for (let at = 0; at < texts.length; ) {
    const text = texts[at] ?? "";
    if (text.startsWith("@@")) inHunk = true;
    else if (text.startsWith("diff --git ")) inHunk = false;
    const removed = inHunk ? runOf("-", texts, at) : 0;
    const added = removed === 0 ? 0 : runOf("+", texts, at + removed);
    // The whole run is handled together, including lines without a pair. Otherwise the run would be counted again for
    // each of its lines.
    if (removed > 0) {
      const count = Math.min(removed, added, pairs);
      pairs -= count;
      const changes = count === 0 ? none : changesOf(texts, { at, removed, count });
      for (let n = 0; n < removed; n += 1)
        lines.push(changedLine(gutter, texts[at + n] ?? "", "red", changes[n]?.before));
      for (let n = 0; n < added; n += 1)
        lines.push(changedLine(gutter, texts[at + removed + n] ?? "", "green", changes[n]?.after));
      at += removed + added;
      continue;
    }
    at += 1;
    if (!inHunk && isShort && isRepeated(texts, at - 1)) continue;
    const plain = inHunk ? text : withShortNames(text, directory);
    lines.push(plain === "" ? blank : [gutter, [inHunk ? hunkStyle(text) : "bold", plain]]);
  }
  return lines;
}

type Changes = readonly ReturnType<typeof changedWords>[];

const none: Changes = [];

/**
 * Returns the changed words of pairs of lines. `count` removed lines begin at `at`, and the added lines follow all
 * removed lines.
 */
function changesOf(
  texts: readonly string[],
  { at, removed, count }: { readonly at: number; readonly removed: number; readonly count: number },
): Changes {
  return Array.from({ length: count }, (_, n) =>
    changedWords((texts[at + n] ?? "").slice(1), (texts[at + removed + n] ?? "").slice(1)),
  );
}

/** Returns the number of lines from `from` on that begin with a mark. */
function runOf(mark: string, texts: readonly string[], from: number): number {
  let end = from;
  while (texts[end]?.startsWith(mark)) end += 1;
  return end - from;
}

function changedLine(gutter: string, text: string, style: Style, words?: readonly WordSpan[]): Line {
  if (words === undefined) return [gutter, [style, text]];
  const mark = text.slice(0, 1);
  return [
    gutter,
    [style, mark],
    ...words.map(({ text, isChanged }): Span => [isChanged ? [style, "inverse"] : style, text]),
  ];
}

function hunkStyle(line: string): Style {
  if (line.startsWith("+")) return "green";
  if (line.startsWith("-")) return "red";
  return line.startsWith("@@") ? "cyan" : "plain";
}

/** Lines between the two names of a patch and its first hunk. */
const header = /^(?:index|old mode|new mode|new file mode|deleted file mode|similarity|rename|copy) /;
const named = /^(?:diff --git|rename from|rename to|copy from|copy to) /;

/** Maximum number of lines between `diff --git` and `---`. */
const MAX_HEADER = 8;

/** Returns `true` for a line that repeats the names of the `---` and `+++` lines below it. */
function isRepeated(texts: readonly string[], at: number): boolean {
  const text = texts[at] ?? "";
  if (!text.startsWith("diff --git ") && !text.startsWith("index ")) return false;
  let next = at + 1;
  while (next < at + MAX_HEADER && header.test(texts[next] ?? "")) next += 1;
  return texts[next]?.startsWith("--- ") === true;
}

/** Returns a line above the hunks with names of files relative to the directory. */
function withShortNames(line: string, directory: string | undefined): string {
  if (directory === undefined || !/^[-+dcr]/.test(line) || line.includes("..")) return line;
  const [, mark = "", path = ""] = /^(---|\+\+\+) (\/[^\t\r\n]*)/.exec(line) ?? [];
  if (path !== "") {
    const name = displayPath(path, directory);
    return path === "/dev/null" || isAbsolute(name) ? line : `${mark} ${mark === "---" ? "a" : "b"}/${name}`;
  }
  if (directory === "/" || !named.test(line)) return line;
  return ["a", "b", ""].reduce(
    (text, side) => text.replaceAll(` ${side}${directory}/`, ` ${side && `${side}/`}`),
    line,
  );
}
