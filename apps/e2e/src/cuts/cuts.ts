import { type CutFinding, converse } from "./conversation.js";
import { cutPlan } from "./cut-plan.js";

/** Settings of a run. */
export type CutRun = {
  readonly seeds: number;
  readonly from: number;
  /** Conversations at the same time. */
  readonly atOnce: number;
  readonly onProgress?: (done: number) => void;
};

/** Holds one conversation for each seed. */
export async function runCuts({ seeds, from, atOnce, onProgress }: CutRun): Promise<readonly CutFinding[]> {
  const findings: CutFinding[] = [];
  let next = from;
  const work = async () => {
    while (next < from + seeds) {
      const seed = next;
      next += 1;
      findings.push(await converse(cutPlan(seed)));
      onProgress?.(findings.length);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return findings;
}

/** Returns the number of cuts that were made, by wire and class. */
export function cutTable(findings: readonly CutFinding[]): Readonly<Record<string, Readonly<Record<string, number>>>> {
  const table: Record<string, Record<string, number>> = {};
  for (const { plan, made } of findings)
    for (const at of made) {
      table[at] ??= {};
      const row = table[at];
      row[plan.wire] = (row[plan.wire] ?? 0) + 1;
    }
  return table;
}
