import { plainText } from "../../render/line.js";
import { wrap } from "../../render/wrap.js";
import { type TextInput, whole } from "./text-input.js";

/**
 * Moves the cursor by one row inside of a line that is wrapped at `width` columns. Returns the same object if the line has
 * no such row, or is not shown as it was typed.
 */
export function moveByRow(input: TextInput, direction: "up" | "down", width: number): TextInput {
  const { text, cursor } = input;
  const start = cursor === 0 ? 0 : text.lastIndexOf("\n", cursor - 1) + 1;
  const end = text.indexOf("\n", cursor);
  const line = text.slice(start, end < 0 ? text.length : end);
  const rows = wrap([line], width, { at: "width" }).map(plainText);
  if (rows.length < 2 || rows.join("") !== line) return input;
  let from = start;
  let row = 0;
  // At the end of a row, the cursor is shown there, and not at the start of the next row.
  while (row < rows.length - 1 && cursor > from + rowOf(rows, row).length) from += rowOf(rows, row++).length;
  const target = direction === "up" ? row - 1 : row + 1;
  if (rows[target] === undefined) return input;
  const place = direction === "up" ? from - rowOf(rows, target).length : from + rowOf(rows, row).length;
  return { text, cursor: whole(text, place + Math.min(cursor - from, rowOf(rows, target).length)) };
}

const rowOf = (rows: readonly string[], at: number): string => rows[at] ?? "";
