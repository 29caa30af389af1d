import { expect, it } from "vitest";
import { cutClasses, wires } from "./cut-plan.js";
import { cutTable, runCuts } from "./cuts.js";

it("REM-43, REM-49: 96 conversations whose connections are cut lose, double and reorder nothing", async () => {
  const findings = await runCuts({ seeds: 96, from: 0, atOnce: 6 });
  expect(findings.flatMap(({ plan, faults }) => faults.map((fault) => `seed ${plan.seed}: ${fault}`))).toEqual([]);
  // Every conversation has 2 sessions with 3 prompts of 12 updates.
  expect(findings.map(({ prompts, updates }) => [prompts, updates])).toEqual(findings.map(() => [6, 72]));
  const table = cutTable(findings);
  for (const at of cutClasses) for (const wire of wires) expect(table[at]?.[wire], `${at}, ${wire}`).toBeGreaterThan(0);
}, 120_000);
