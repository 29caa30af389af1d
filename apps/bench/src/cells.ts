import type { Found } from "./scenario.js";

/** Findings of all rounds of one cell. */
export type Cell = { readonly implementation: string; readonly size: number; readonly runs: readonly Found[] };

export type Spread = { readonly median: number; readonly least: number; readonly most: number };

/**
 * Returns the median, the least and the greatest of the values. For an even number, the median is the mean of the two
 * middle values.
 */
export function spread(values: readonly number[]): Spread {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length / 2;
  const median =
    sorted.length % 2 === 1
      ? (sorted[Math.floor(middle)] ?? Number.NaN)
      : ((sorted[middle - 1] ?? Number.NaN) + (sorted[middle] ?? Number.NaN)) / 2;
  return { median, least: sorted[0] ?? Number.NaN, most: sorted.at(-1) ?? Number.NaN };
}

/** Returns the spread of a figure over all rounds of a cell. */
export function spreadOf(cell: Cell, figure: string): Spread {
  return spread(cell.runs.map((run) => run[figure] ?? Number.NaN));
}

export const medianOf = (cell: Cell, figure: string): number => spreadOf(cell, figure).median;
