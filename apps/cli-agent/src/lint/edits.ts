/** Replacement of one part of a text. `oldText` must occur exactly once in the text. */
export type TextEdit = { readonly oldText: string; readonly newText: string };

/**
 * Returns the edits that turn `before` into `after`. Every edit includes enough surrounding lines to make its `oldText`
 * unique.
 */
export async function editsBetween(before: string, after: string): Promise<readonly TextEdit[]> {
  // `diff` is loaded with the first finding that can be fixed.
  const { structuredPatch } = await import("diff");
  for (let context = 0; ; context = 2 * context + 1) {
    const { hunks } = structuredPatch("", "", before, after, "", "", { context });
    const edits = hunks.map(({ lines }) => ({ oldText: textOf(lines, "-"), newText: textOf(lines, "+") }));
    if (edits.every(({ oldText }) => oldText === before || occursOnce(before, oldText))) return edits;
  }
}

/** Returns a unified diff of the two texts without its two header lines. */
export async function patchBetween(before: string, after: string): Promise<string> {
  const { createPatch } = await import("diff");
  return createPatch("file", before, after, "", "", { context: 2 }).split("\n").slice(4).join("\n");
}

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
  const at = text.indexOf(part);
  return part !== "" && at >= 0 && text.indexOf(part, at + 1) < 0;
}
