import { parseArgs } from "node:util";
import { killPrompts } from "./killed-prompts.js";

// Kills an agent between the insertion of a prompt and its answer. Ends with 1 if a retry by key inserted a prompt again.
// npx -y pnpm@10 keyed-kill --kills 300
const { values } = parseArgs({ options: { kills: { type: "string", default: "300" } } });
const started = performance.now();
const { kills, miscounted, renamed } = await killPrompts(Number(values.kills));
const seconds = Math.round((performance.now() - started) / 1000);
console.log(`${kills} kills in ${seconds} s, ${miscounted.length} miscounted, ${renamed.length} with another id`);
for (const text of [...miscounted, ...renamed]) console.log(text);
process.exitCode = miscounted.length + renamed.length === 0 ? 0 : 1;
