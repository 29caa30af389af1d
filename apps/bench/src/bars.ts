import { type Cell, medianOf } from "./cells.js";
import type { Bar, Scenario } from "./scenario.js";

/** Returns the rows of one scenario in the table of bars. A bar whose cells did not run has no row. */
export function barRows(scenario: Scenario, cells: readonly Cell[]): readonly string[] {
  return (scenario.bars ?? []).flatMap((bar) => {
    const reached = reachedOf(bar, cells);
    if (reached === undefined) return [];
    const { atLeast = Number.NEGATIVE_INFINITY, atMost = Number.POSITIVE_INFINITY } = bar;
    const met = reached >= atLeast && reached <= atMost ? "yes" : "**no**";
    const unit = bar.against === undefined ? ` ${scenario.figures[bar.figure]?.unit}` : ` × ${bar.against}`;
    const goal = bar.atLeast === undefined ? `≤ ${bar.atMost}${unit}` : `≥ ${bar.atLeast}${unit}`;
    return [`| ${scenario.name}: ${bar.implementation}, ${bar.figure} | ${goal} | ${reached.toFixed(2)} | ${met} |`];
  });
}

/** Returns the table of all bars. */
export function barTable(rows: readonly string[]): string {
  return `## Bars\n\n${["| bar | goal | reached | met |", "| --- | --- | --- | --- |", ...rows].join("\n")}\n`;
}

function reachedOf({ implementation, against, figure }: Bar, cells: readonly Cell[]): number | undefined {
  const last = (name: string) => cells.filter((cell) => cell.implementation === name).at(-1);
  const [own, other] = [last(implementation), against === undefined ? undefined : last(against)];
  if (own === undefined || (against !== undefined && other === undefined)) return undefined;
  return medianOf(own, figure) / (other === undefined ? 1 : medianOf(other, figure));
}
