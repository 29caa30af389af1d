import { type Cell, medianOf, spreadOf } from "./cells.js";
import type { Pair } from "./interleave.js";
import type { Figure, Scenario } from "./scenario.js";

/**
 * Returns one scenario in Markdown. A row has a cell's figures, and their multiples of the figures of the compared
 * implementations.
 */
export function toMarkdown(scenario: Scenario, cells: readonly Cell[]): string {
  const names = Object.keys(scenario.figures);
  const against = scenario.against ?? [];
  const head = [
    ...["implementation", "size"],
    ...names.flatMap((name) => [name, "min … max", ...against.map((other) => `× ${other}`)]),
  ];
  const rows = cells.map((cell) => [
    ...[cell.implementation, cell.size.toLocaleString("en")],
    ...names.flatMap((name) => figureColumns(name, scenario, cell, cells)),
  ]);
  const lines = [head, head.map(() => "---"), ...rows].map((row) => `| ${row.join(" | ")} |`);
  return `## ${scenario.name}\n\n${scenario.what}\n\n${[...lines, ...growth(scenario, cells)].join("\n")}\n`;
}

function figureColumns(name: string, scenario: Scenario, cell: Cell, cells: readonly Cell[]): readonly string[] {
  const figure = scenario.figures[name] as Figure;
  const show = (value: number) => value.toLocaleString("en", { maximumFractionDigits: figure.digits ?? 0 });
  const { median, least, most } = spreadOf(cell, name);
  const multiples = (scenario.against ?? []).map((other) => {
    const reference = cells.find(({ implementation, size }) => implementation === other && size === cell.size);
    return reference === undefined || reference === cell ? "" : (median / medianOf(reference, name)).toFixed(2);
  });
  return [`${show(median)} ${figure.unit}`, `${show(least)} … ${show(most)}`, ...multiples];
}

/**
 * Returns the slope of each figure on a double logarithmic scale, by the medians of the smallest and the largest size.
 */
function growth(scenario: Scenario, cells: readonly Cell[]): readonly string[] {
  const sizes = new Set(cells.map((cell) => cell.size));
  if (sizes.size < 2) return [];
  const implementations = [...new Set(cells.map((cell) => cell.implementation))];
  const lines = implementations.flatMap((implementation) => {
    const own = cells.filter((cell) => cell.implementation === implementation).sort((a, b) => a.size - b.size);
    const [small, large] = [own[0], own.at(-1)] as [Cell, Cell];
    return Object.keys(scenario.figures).map((figure) => {
      const slope = Math.log(medianOf(large, figure) / medianOf(small, figure)) / Math.log(large.size / small.size);
      return `- ${implementation}, ${figure}: exponent ${slope.toFixed(2)} from ${small.size.toLocaleString("en")} to ${large.size.toLocaleString("en")}`;
    });
  });
  return ["", ...lines];
}

/** Returns a row for each figure of a cell: the medians before and after a change, and their ratio. */
export function beforeRows({ name, figures }: Scenario, { before, after }: Pair): readonly string[] {
  return Object.keys(figures).map((figure) => {
    const [old, now] = [medianOf(before, figure), medianOf(after, figure)];
    return `| ${name} | ${before.implementation} | ${figure} | ${shortNumber(old)} | ${shortNumber(now)} | ${(now / old).toFixed(3)} |`;
  });
}

const shortNumber = (value: number): string => value.toPrecision(4);
