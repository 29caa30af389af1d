import type { Tokens } from "marked";
import { type Line, lineWidth, type Span, withStyle } from "../text/line.js";
import { wrap } from "../text/wrap.js";
import { inlineLines } from "./inline.js";

const GAP = " │ ";

/** A table in columns where it fits, else each row as a list of its cells with their headings. */
export function tableLines({ header, rows, align }: Tokens.Table, width: number): readonly Line[] {
  const heads = header.map((cell) => cellLine(cell).map((span) => withStyle(span, "bold")));
  const body = rows.map((row) => row.map(cellLine));
  const widths = heads.map((head, column) =>
    Math.max(lineWidth(head), ...body.map((row) => lineWidth(row[column] ?? []))),
  );
  const total = widths.reduce((sum, one) => sum + one, 0) + GAP.length * (widths.length - 1);
  if (total > width) return stacked(heads, body, width);
  const rowLine = (row: readonly Line[]): Line =>
    widths.flatMap((columns, column): Span[] => [
      ...(column === 0 ? [] : [["dim", GAP] as const]),
      ...aligned(row[column] ?? [], columns, align[column]),
    ]);
  const rule: Line = [["dim", widths.map((columns) => "─".repeat(columns)).join("─┼─")]];
  return [rowLine(heads), rule, ...body.map(rowLine)];
}

function stacked(heads: readonly Line[], body: readonly (readonly Line[])[], width: number): readonly Line[] {
  return body.flatMap((row, index) => [
    ...(index === 0 ? [] : [[]]),
    ...row.flatMap((cell, column) => wrap([...(heads[column] ?? []), ": ", ...cell], width, { rest: ["  "] })),
  ]);
}

function aligned(cell: Line, columns: number, align: string | null | undefined): Line {
  const blank = columns - lineWidth(cell);
  const left = align === "right" ? blank : align === "center" ? Math.floor(blank / 2) : 0;
  return [" ".repeat(left), ...cell, " ".repeat(blank - left)];
}

function cellLine(cell: Tokens.TableCell): Line {
  return inlineLines(cell.tokens).flatMap((line, index) => (index === 0 ? [...line] : [" ", ...line]));
}
