import { type ChangeObject, diffArrays } from "diff";

/** Number of unchanged lines before and after a change. */
const CONTEXT = 3;

/** Bound of a comparison: changed lines, or milliseconds. */
export type CompareBound = { readonly maxEditLength: number } | { readonly timeout: number };

/**
 * Returns the hunks of two different texts in unified diff format, each with a line end. Returns `undefined` if the
 * comparison reaches its bound.
 */
export function hunksBetween(before: string, after: string, bound: CompareBound): string | undefined {
  const changes = diffArrays(linesOf(before), linesOf(after), bound);
  return changes === undefined ? undefined : hunks(changes);
}

/**
 * Returns the lines of a text. If the last line has no line end, it gets the note that Git uses. It therefore differs
 * from the same line with a line end.
 */
function linesOf(text: string): string[] {
  const lines = text.split("\n");
  const last = lines.pop();
  if (last) lines.push(`${last}\n\\ No newline at end of file`);
  return lines;
}

/** Hunk that is not complete yet, with the numbers of its first lines. */
type Hunk = { readonly from: Place; readonly lines: string[] };
type Place = { readonly before: number; readonly after: number };

function hunks(changes: readonly ChangeObject<string[]>[]): string {
  let text = "";
  let hunk: Hunk | undefined;
  let place: Place = { before: 1, after: 1 };
  const end = (one: Hunk, kept: number): void => {
    const range = (side: keyof Place) => rangeOf(one.from[side], place[side] + kept - one.from[side]);
    text += `@@ -${range("before")} +${range("after")} @@\n${one.lines.join("\n")}\n`;
    hunk = undefined;
  };
  for (const [index, { value, added, removed }] of changes.entries()) {
    if (added || removed) {
      hunk ??= beginning(changes[index - 1], place);
      for (const line of value) hunk.lines.push((added ? "+" : "-") + line);
    } else if (hunk !== undefined) {
      // A short part between two changes belongs to the hunk.
      const isInside = value.length <= 2 * CONTEXT && index < changes.length - 1;
      const kept = isInside ? value : value.slice(0, CONTEXT);
      for (const line of kept) hunk.lines.push(` ${line}`);
      if (!isInside) end(hunk, kept.length);
    }
    place = {
      before: place.before + (added ? 0 : value.length),
      after: place.after + (removed ? 0 : value.length),
    };
  }
  if (hunk !== undefined) end(hunk, 0);
  return text;
}

/** Returns a hunk that begins with the last lines of the part before it. */
function beginning(previous: ChangeObject<string[]> | undefined, { before, after }: Place): Hunk {
  const kept = previous === undefined ? [] : previous.value.slice(-CONTEXT);
  const from = { before: before - kept.length, after: after - kept.length };
  return { from, lines: kept.map((line) => ` ${line}`) };
}

/**
 * Returns the first line and the number of lines of a part. If the part has no lines, the first line is the line before
 * it.
 */
function rangeOf(from: number, count: number): string {
  return `${count === 0 ? from - 1 : from},${count}`;
}
