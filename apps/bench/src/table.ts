import type { Cell } from "./interleave.js";
import type { Figure, Scenario } from "./scenario.js";

export type Spread = { readonly median: number; readonly least: number; readonly most: number };

/** The middle of the values (the mean of the two middle ones) and how far they spread. */
export function spread(values: readonly number[]): Spread {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length / 2;
  const median =
    sorted.length % 2 === 1
      ? (sorted[Math.floor(middle)] ?? Number.NaN)
      : ((sorted[middle - 1] ?? Number.NaN) + (sorted[middle] ?? Number.NaN)) / 2;
  return { median, least: sorted[0] ?? Number.NaN, most: sorted.at(-1) ?? Number.NaN };
}

/** One scenario in Markdown: a row per cell, and how much better the first implementation is than each other. */
export function toMarkdown(scenario: Scenario, cells: readonly Cell[]): string {
  const [reference] = Object.keys(scenario.implementations);
  const peers = Object.keys(scenario.implementations).length > 1 && !growing(cells);
  const names = Object.keys(scenario.figures);
  const head = [
    "implementation",
    "size",
    ...names.flatMap((name) => [name, "min … max", ...(peers ? [`${reference} is`] : [])]),
  ];
  const rows = cells.map((cell) => {
    const like = cells.find((other) => other.implementation === reference && other.size === cell.size);
    return [
      cell.implementation,
      cell.size.toLocaleString("en"),
      ...names.flatMap((name) => figureColumns(name, scenario.figures[name] as Figure, cell, peers ? like : undefined)),
    ];
  });
  const lines = [head, head.map(() => "---"), ...rows].map((row) => `| ${row.join(" | ")} |`);
  const growth = growing(cells) ? `\n\n${exponents(cells, names[0] ?? "").join("\n")}` : "";
  return `## ${scenario.name}\n\n${scenario.what}\n\n${lines.join("\n")}${growth}\n`;
}

function figureColumns(name: string, figure: Figure, cell: Cell, reference: Cell | undefined): readonly string[] {
  const values = (of: Cell) => spread(of.runs.map((run) => run[name] ?? Number.NaN));
  const show = (value: number) => value.toLocaleString("en", { maximumFractionDigits: figure.digits ?? 0 });
  const { median, least, most } = values(cell);
  const columns = [`${show(median)} ${figure.unit}`, `${show(least)} … ${show(most)}`];
  if (reference === undefined) return columns;
  const ours = values(reference).median;
  const ratio = figure.better === "less" ? median / ours : ours / median;
  return [...columns, reference === cell ? "" : `${ratio.toFixed(ratio < 10 ? 2 : 0)} × better`];
}

const growing = (cells: readonly Cell[]): boolean => new Set(cells.map((cell) => cell.size)).size > 1;

/** The slope on a double logarithmic scale from the smallest to the largest size, by medians. */
function exponents(cells: readonly Cell[], figure: string): readonly string[] {
  const implementations = [...new Set(cells.map((cell) => cell.implementation))];
  return implementations.map((implementation) => {
    const own = cells.filter((cell) => cell.implementation === implementation).sort((a, b) => a.size - b.size);
    const [small, large] = [own[0], own.at(-1)] as [Cell, Cell];
    const median = (cell: Cell) => spread(cell.runs.map((run) => run[figure] ?? Number.NaN)).median;
    const slope = Math.log(median(large) / median(small)) / Math.log(large.size / small.size);
    return `- ${implementation}: exponent ${slope.toFixed(2)} from ${small.size.toLocaleString("en")} to ${large.size.toLocaleString("en")}`;
  });
}
