import { clusterEnd, fit } from "../../render/cluster.js";
import { textOf } from "../../render/line.js";
import { widthOf } from "../../render/wrap.js";
import { type TextInput, whole } from "./text-input.js";

/**
 * Returns the rows of a typed line, which is wrapped at words. All characters stay, and one blank at the end of a row may
 * have one column more than `width`.
 */
export function rowsOf(line: string, width: number): readonly string[] {
  const rows: string[] = [];
  let start = 0;
  let used = 0;
  const next = (at: number) => {
    rows.push(line.slice(start, at));
    start = at;
    used = 0;
  };
  for (const { 0: word, index } of line.matchAll(/\s+|\S+/g)) {
    const isBlank = word.trim() === "";
    if (!isBlank && used > 0 && used + widthOf(word) > width) next(index);
    for (let at = 0; at < word.length; ) {
      const { end, width: taken } = fit(word, at, Math.max(0, width - used) + (isBlank && used <= width ? 1 : 0));
      if (end === at && used > 0) next(index + at);
      else {
        // A character that is wider than the row has a row of its own.
        at = end === at ? clusterEnd(word, at) : end;
        used += Math.max(1, taken);
      }
    }
  }
  next(line.length);
  return rows;
}

/** Returns the row of a position in a line, and the offset in this row. */
export function placeIn(rows: readonly string[], position: number): { readonly row: number; readonly offset: number } {
  let row = 0;
  let offset = position;
  for (const text of rows.slice(0, -1)) {
    // At the end of a broken word, the cursor is shown there. Before a wrapped word, it is shown at the word.
    if (offset < text.length || (offset === text.length && text.trimEnd() === text)) break;
    offset -= text.length;
    row += 1;
  }
  return { row, offset };
}

/**
 * Moves the cursor by one row inside of a line that is wrapped at `width` columns. Returns the same object if the line has
 * no such row, or is not shown as it was typed.
 */
export function moveByRow(input: TextInput, direction: "up" | "down", width: number): TextInput {
  const { text, cursor } = input;
  const start = cursor === 0 ? 0 : text.lastIndexOf("\n", cursor - 1) + 1;
  const end = text.indexOf("\n", cursor);
  const line = text.slice(start, end < 0 ? text.length : end);
  const rows = textOf(line) === line ? rowsOf(line, width) : [];
  const { row, offset } = placeIn(rows, cursor - start);
  const target = direction === "up" ? row - 1 : row + 1;
  const wanted = rows[target];
  if (wanted === undefined) return input;
  const from = rows.slice(0, target).reduce((length, one) => length + one.length, start);
  // The position after the last blank of a row is shown in the next row.
  const most = target < rows.length - 1 && wanted.trimEnd() !== wanted ? wanted.length - 1 : wanted.length;
  return { ...input, cursor: whole(text, from + Math.min(offset, most)) };
}
