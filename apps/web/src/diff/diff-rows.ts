import { structuredPatch } from "diff";

/** Line of a diff, with its numbers in the old and the new text. */
export type DiffRow = {
  readonly kind: "same" | "added" | "removed" | "mark";
  readonly text: string;
  readonly before?: number;
  readonly after?: number;
};

/**
 * Number of changed lines above which two texts count as completely different, because the time of a comparison grows
 * with its square.
 */
const MOST_EDITS = 1_000;
const COMPARE_MS = 100;

/** Returns the lines that differ between two texts, each with three lines around it. */
export function compareTexts(before: string, after: string): readonly DiffRow[] {
  const options = { context: 3, maxEditLength: MOST_EDITS, timeout: COMPARE_MS };
  const patch = structuredPatch("", "", before, after, undefined, undefined, options);
  if (patch === undefined) return [...wholeText("removed", before), ...wholeText("added", after)];
  return patch.hunks.flatMap((hunk, index) => [
    ...(index === 0 ? [] : [{ kind: "mark", text: `line ${hunk.newStart}` } as const]),
    ...numbered(hunk.lines, hunk.oldStart, hunk.newStart),
  ]);
}

function wholeText(kind: "added" | "removed", text: string): readonly DiffRow[] {
  if (text === "") return [];
  const lines = text.replace(/\n$/, "").split("\n");
  return numbered(
    lines.map((line) => (kind === "added" ? `+${line}` : `-${line}`)),
    1,
    1,
  );
}

/** Reads a patch in unified or git form. Lines outside of its hunks are marks. */
export function readPatch(patch: string): readonly DiffRow[] {
  const rows: DiffRow[] = [];
  let hunk: { readonly lines: string[]; readonly from: number; readonly to: number } | undefined;
  const end = () => {
    if (hunk !== undefined) rows.push(...numbered(hunk.lines, hunk.from, hunk.to));
    hunk = undefined;
  };
  for (const line of patch === "" ? [] : patch.replace(/\n$/, "").split("\n")) {
    const [, from, to] = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@/.exec(line) ?? [];
    if (from !== undefined && to !== undefined) {
      end();
      rows.push({ kind: "mark", text: line });
      hunk = { lines: [], from: Number(from), to: Number(to) };
    } else if (hunk !== undefined && /^[-+ \\]|^$/.test(line)) hunk.lines.push(line);
    else {
      end();
      rows.push({ kind: "mark", text: line });
    }
  }
  end();
  return rows;
}

function numbered(lines: readonly string[], from: number, to: number): readonly DiffRow[] {
  let before = from;
  let after = to;
  return lines.map((line): DiffRow => {
    const text = line.slice(1);
    if (line.startsWith("+")) return { kind: "added", text, after: after++ };
    if (line.startsWith("-")) return { kind: "removed", text, before: before++ };
    if (line.startsWith("\\")) return { kind: "mark", text: line.slice(2) };
    return { kind: "same", text, before: before++, after: after++ };
  });
}

/** Line of the old text and line of the new text in one row. */
export type DiffPair = { readonly before: DiffRow | undefined; readonly after: DiffRow | undefined };

/** Puts removed lines beside the added lines that replace them. */
export function pairRows(rows: readonly DiffRow[]): readonly DiffPair[] {
  const pairs: DiffPair[] = [];
  let removed: DiffRow[] = [];
  let added: DiffRow[] = [];
  const flush = () => {
    for (let at = 0; at < Math.max(removed.length, added.length); at++) {
      pairs.push({ before: removed[at], after: added[at] });
    }
    removed = [];
    added = [];
  };
  for (const row of rows) {
    if (row.kind === "removed") {
      if (added.length > 0) flush();
      removed.push(row);
    } else if (row.kind === "added") added.push(row);
    else {
      flush();
      pairs.push({ before: row, after: row });
    }
  }
  flush();
  return pairs;
}
