import { allowsEdits, placesIn } from "../tools/text-places.js";

/** Replacement of one part of a text. `oldText` must occur exactly once in the text. */
export type TextEdit = { readonly oldText: string; readonly newText: string };

/** Maximum number of lines of a text, maximum number of changed lines, and maximum time in milliseconds. */
const MAX_LINES = 100_000;
const MAX_CHANGED = 400;
const COMPARE_MS = 100;

/**
 * Returns the edits that turn `before` into `after`. Every edit includes enough surrounding lines to make its `oldText`
 * unique. If the texts differ too much to be compared, one edit replaces the whole text.
 */
export async function editsBetween(before: string, after: string): Promise<readonly TextEdit[]> {
  if (hasManyLines(before)) return [{ oldText: before, newText: after }];
  // `diff` is loaded with the first finding that can be fixed.
  const { structuredPatch } = await import("diff");
  const end = Date.now() + COMPARE_MS;
  for (let context = 0; ; context = 2 * context + 1) {
    const bounds = { maxEditLength: MAX_CHANGED, timeout: end - Date.now() };
    const hunks = structuredPatch("", "", before, after, "", "", { context, ...bounds })?.hunks;
    if (hunks === undefined || !allowsEdits(before, hunks.length)) return [{ oldText: before, newText: after }];
    const edits = hunks.map(({ lines }) => ({ oldText: textOf(lines, "-"), newText: textOf(lines, "+") }));
    if (edits.every(({ oldText }) => oldText === before || occursOnce(before, oldText))) return edits;
  }
}

/**
 * Returns a unified diff of the two texts without its two header lines. If the texts differ too much to be compared, all
 * lines are removed and added.
 */
export async function patchBetween(before: string, after: string): Promise<string> {
  const { createPatch } = await import("diff");
  const bounds = { maxEditLength: MAX_CHANGED, timeout: COMPARE_MS };
  const patch = hasManyLines(before)
    ? undefined
    : createPatch("file", before, after, "", "", { context: 2, ...bounds });
  if (patch !== undefined) return patch.split("\n").slice(4).join("\n");
  const [old, now] = [before, after].map((text) => (text.endsWith("\n") ? text.slice(0, -1) : text).split("\n")) as [
    string[],
    string[],
  ];
  // `join` is four times faster than `replaceAll`, which creates a separate text for every line.
  return `@@ -1,${old.length} +1,${now.length} @@\n-${old.join("\n-")}\n+${now.join("\n+")}\n`;
}

const hasManyLines = (text: string): boolean => placesIn(text, "\n", { most: MAX_LINES }).length === MAX_LINES;

/**
 * Returns one side of a hunk as text. A line that begins with a backslash means that the previous line has no line end.
 */
function textOf(lines: readonly string[], side: "-" | "+"): string {
  return lines
    .flatMap((line, index) => {
      if (line[0] !== " " && line[0] !== side) return [];
      return [line.slice(1), ...(lines[index + 1]?.startsWith("\\") ? [] : ["\n"])];
    })
    .join("");
}

function occursOnce(text: string, part: string): boolean {
  return part !== "" && placesIn(text, part, { most: 2, overlapping: true }).length === 1;
}
