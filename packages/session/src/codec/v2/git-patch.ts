import type { DiffChange } from "../../tool-call.js";
import { type ChangedLines, changedLines } from "./line-diff.js";

/** Number of unchanged lines around a change, as in Git's default. */
const CONTEXT = 3;
const NOTHING = "/dev/null";

/**
 * Returns the change of one file as `git diff` prints it, with absolute paths and no prefixes. Returns `undefined` if
 * the texts are unknown, binary or equal.
 */
// V2-DIFF-03
export function gitPatch(change: DiffChange): string | undefined {
  const texts = textsOf(change);
  if (texts === undefined || isBinary(texts.before) || isBinary(texts.after)) return undefined;
  if (change.operation === "modify" && texts.before === texts.after) return undefined;
  const path = quoted(change.path);
  const lines = [`diff --git ${path} ${path}`];
  if (change.operation === "add") lines.push("new file mode 100644");
  if (change.operation === "delete") lines.push("deleted file mode 100644");
  const hunks = hunksOf(linesOf(texts.before), linesOf(texts.after));
  if (hunks.length === 0) return `${lines.join("\n")}\n`;
  // Git writes a tab after a name with a space, so that readers find the end of the name.
  const name = `${path}${path.includes(" ") ? "\t" : ""}`;
  lines.push(`--- ${change.operation === "add" ? NOTHING : name}`);
  lines.push(`+++ ${change.operation === "delete" ? NOTHING : name}`);
  return `${[...lines, ...hunks].join("\n")}\n`;
}

/** Returns `true` for a text with NUL, which Git treats as binary. */
export const isBinary = (content: string): boolean => content.includes("\0");

type Texts = { readonly before: string; readonly after: string };

function textsOf({ operation, oldText, newText }: DiffChange): Texts | undefined {
  switch (operation) {
    case "add":
      return typeof newText === "string" ? { before: "", after: newText } : undefined;
    case "delete":
      return typeof oldText === "string" ? { before: oldText, after: "" } : undefined;
    case "modify":
      return typeof oldText === "string" && typeof newText === "string"
        ? { before: oldText, after: newText }
        : undefined;
    default:
      return undefined;
  }
}

/**
 * Returns the lines of a text. If the last line has no line end, it gets the note that Git uses. It therefore differs
 * from the same line with a line end.
 */
function linesOf(text: string): readonly string[] {
  const lines = text.split("\n");
  const last = lines.pop();
  if (last) lines.push(`${last}\n\\ No newline at end of file`);
  return lines;
}

/** Returns the hunks of a patch. Changes whose context overlaps share a hunk. */
function hunksOf(before: readonly string[], after: readonly string[]): readonly string[] {
  const hunks: ChangedLines[][] = [];
  for (const change of changedLines(before, after)) {
    const hunk = hunks.at(-1);
    if (hunk !== undefined && change.oldStart - (hunk.at(-1)?.oldEnd ?? 0) <= 2 * CONTEXT) hunk.push(change);
    else hunks.push([change]);
  }
  return hunks.flatMap((hunk) => hunkOf(hunk, before, after));
}

function hunkOf(
  changes: readonly ChangedLines[],
  before: readonly string[],
  after: readonly string[],
): readonly string[] {
  const [first, last] = [changes[0], changes.at(-1)];
  if (first === undefined || last === undefined) return [];
  const head = Math.min(first.oldStart, CONTEXT);
  const tail = Math.min(before.length - last.oldEnd, CONTEXT);
  const lines: string[] = [];
  let shown = first.oldStart - head;
  for (const { oldStart, oldEnd, newStart, newEnd } of changes) {
    mark(" ", before.slice(shown, oldStart), lines);
    mark("-", before.slice(oldStart, oldEnd), lines);
    mark("+", after.slice(newStart, newEnd), lines);
    shown = oldEnd;
  }
  mark(" ", before.slice(shown, shown + tail), lines);
  const oldRange = range(first.oldStart - head, last.oldEnd + tail - (first.oldStart - head));
  const newRange = range(first.newStart - head, last.newEnd + tail - (first.newStart - head));
  return [`@@ -${oldRange} +${newRange} @@`, ...lines];
}

/** Returns a range of lines as Git writes it. The number of an empty range is the number of the line before it. */
function range(start: number, length: number): string {
  if (length === 0) return `${start},0`;
  return length === 1 ? `${start + 1}` : `${start + 1},${length}`;
}

/**
 * Appends lines to `into`, each with a sign. A loop is used, because a call cannot have as many arguments as there are
 * lines.
 */
function mark(sign: string, lines: readonly string[], into: string[]): void {
  for (const line of lines) into.push(sign + line);
}

const ESCAPES: { readonly [character: string]: string } = {
  '"': '\\"',
  "\\": "\\\\",
  "\u0007": "\\a",
  "\b": "\\b",
  "\t": "\\t",
  "\n": "\\n",
  "\v": "\\v",
  "\f": "\\f",
  "\r": "\\r",
};

/** Returns a file name as Git writes it. A name with other characters than printable ASCII is quoted as in C. */
function quoted(path: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what Git quotes.
  if (!/[\u0000-\u001f"\\\u007f-\uffff]/.test(path)) return path;
  const spellings = Array.from({ length: 256 }, (_, byte) => spelled(byte));
  let text = "";
  for (const byte of new TextEncoder().encode(path)) text += spellings[byte];
  return `"${text}"`;
}

function spelled(byte: number): string {
  const character = String.fromCharCode(byte);
  const isPlain = character >= " " && character <= "~";
  return ESCAPES[character] ?? (isPlain ? character : `\\${byte.toString(8).padStart(3, "0")}`);
}
