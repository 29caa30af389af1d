import { parseArgs } from "node:util";
import { cutTable, runCuts } from "./cuts.js";
import { type Restart, restart } from "./restart/restarts.js";

// Conversations whose connections are cut; ends with 1 if one lost, doubled or reordered an update, ran a prompt twice or
// never, or took too long. Then servers that are killed during a prompt, and started again with their log of files.
// npx -y pnpm@10 cuts --seeds 10000 --restarts 100; one again: --from 123 --seeds 1 --restarts 1
const { values } = parseArgs({
  options: {
    seeds: { type: "string", default: "10000" },
    from: { type: "string", default: "0" },
    restarts: { type: "string", default: "100" },
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
const restarts: Restart[] = [];
for (let at = from; at < from + Number(values.restarts); at += 1) restarts.push(await restart(at));
for (const { seed, wire, dialect, faults } of restarts)
  for (const fault of faults) console.log(`restart ${seed} (${wire}, ${dialect}): ${fault}`);
const restartsWhere = (matches: (one: Restart) => boolean) => restarts.filter(matches).length;
const faults = sum((finding) => finding.faults.length) + restarts.flatMap((one) => one.faults).length;
console.table({
  conversations: findings.length,
  seconds: Math.round((performance.now() - started) / 1000),
  cuts: sum(({ made }) => made.length),
  "prompts that ended": sum(({ prompts }) => prompts),
  "updates in order": sum(({ updates }) => updates),
  "connections refused before initialize": sum(({ refused }) => refused),
  "longest conversation, ms": Math.round(Math.max(...findings.map(({ ms }) => ms))),
  "servers killed and started again": restarts.length,
  "of them, during the prompt": restartsWhere(({ isCut }) => isCut),
  "prompts that are there once": restartsWhere(({ inserted }) => inserted === 1),
  "prompts of version 1 that are not in the restored conversation": restartsWhere(({ inserted }) => inserted === 0),
  "prompts that ran once": restartsWhere(({ runs }) => runs === 1),
  faults,
});
console.log(faults === 0 ? "all held" : "broken");
process.exit(faults === 0 ? 0 : 1);
