import { parseArgs } from "node:util";
import { cutTable, runCuts } from "./cuts.js";

// Conversations whose connections are cut; ends with 1 if one lost, doubled or reordered an update, ran a prompt twice or
// never, or took too long. npx -y pnpm@10 cuts --seeds 10000; one again: --from 123 --seeds 1
const { values } = parseArgs({
  options: {
    seeds: { type: "string", default: "10000" },
    from: { type: "string", default: "0" },
    "at-once": { type: "string", default: "6" },
  },
});
const [seeds, from, atOnce] = [Number(values.seeds), Number(values.from), Number(values["at-once"])];
if (!(seeds > 0) || !(atOnce > 0) || !Number.isInteger(from))
  throw new TypeError("--seeds, --from and --at-once are whole numbers.");

const started = performance.now();
const onProgress = (done: number) => {
  if (done % 500 === 0) console.log(`${done} in ${Math.round((performance.now() - started) / 1000)} s`);
};
const findings = await runCuts({ seeds, from, atOnce, onProgress });
for (const { plan, faults } of findings)
  for (const fault of faults) console.log(`seed ${plan.seed} (${plan.wire}, ${plan.dialect}): ${fault}`);
console.table(cutTable(findings));
const sum = (of: (finding: (typeof findings)[number]) => number) =>
  findings.reduce((total, finding) => total + of(finding), 0);
const faults = sum((finding) => finding.faults.length);
console.table({
  conversations: findings.length,
  seconds: Math.round((performance.now() - started) / 1000),
  cuts: sum(({ made }) => made.length),
  "prompts that ended": sum(({ prompts }) => prompts),
  "updates in order": sum(({ updates }) => updates),
  "connections refused before initialize": sum(({ refused }) => refused),
  "longest conversation, ms": Math.round(Math.max(...findings.map(({ ms }) => ms))),
  faults,
});
console.log(faults === 0 ? "all held" : "broken");
process.exit(faults === 0 ? 0 : 1);
