import { parseArgs } from "node:util";
import { compare } from "./comparison.js";
import { targets } from "./targets.js";

// Holds many documents against the official schemas, and ends with 1 if any differs for no known reason.
// npx -y pnpm@10 parity --documents 1000000 --seed 7
const { values } = parseArgs({
  options: { documents: { type: "string", default: "100000" }, seed: { type: "string", default: "20261121" } },
});
const documents = Number(values.documents);
const seed = Number(values.seed);
if (!(documents > 0) || !Number.isInteger(seed)) throw new TypeError("--documents and --seed are whole numbers.");

const share = Math.ceil(documents / targets.length);
let unexplained = 0;
console.log(`seed ${seed}, ${share * targets.length} documents`);
for (const target of targets) {
  const started = performance.now();
  const figures = compare(target, share, seed);
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  unexplained += figures.unexplained;
  console.log(`\n${target.name}: ${figures.documents} documents in ${seconds} s`);
  console.log(`  ${figures.accepted} accepted by both, ${figures.rejected} rejected by both`);
  for (const [rule, count] of [...figures.rules].toSorted(([, a], [, b]) => b - a)) console.log(`  ${count} ${rule}`);
  console.log(`  ${figures.unexplained} unexplained`);
  for (const example of figures.examples) console.log(`    ${example}`);
}
console.log(`\n${unexplained} unexplained`);
process.exitCode = unexplained === 0 ? 0 : 1;
