import { parseArgs } from "node:util";
import { cells, nameOf } from "./cell.js";
import { prepareMeasuring } from "./measure.js";

// One session for each cell, with 100 000 prompts, tool calls and questions. Ends with 1 where the heap after the last
// prompt is more than 2 MiB above that after a tenth of them, or prompts have become much slower.
// npx -y pnpm@10 long-life --prompts 100000 --only "agent v1"
const { values } = parseArgs({
  options: { prompts: { type: "string", default: "100000" }, only: { type: "string", default: "" } },
});
const prompts = Number(values.prompts);
const mostGrowth = 2 * 1024 * 1024;
const mostSlowdown = 3;
const measuring = await prepareMeasuring();
const mib = (bytes: number): string => (bytes / 1024 / 1024).toFixed(2).padStart(7);

console.log(`${"cell".padEnd(22)} heap MiB at ${prompts / 10}, at ${prompts}: growth, ms a prompt, seconds`);
try {
  for (const cell of cells.filter((one) => nameOf(one).includes(values.only))) {
    const began = performance.now();
    const [early, late] = await measuring.measure(cell, [prompts / 10, prompts]);
    if (early === undefined || late === undefined) throw new Error(`${nameOf(cell)} has no readings.`);
    const growth = late.heap - early.heap;
    const wrong = [
      growth > mostGrowth && "it grew",
      late.msPerPrompt > mostSlowdown * early.msPerPrompt && "it became slower",
    ].filter((one) => one !== false);
    if (wrong.length > 0) process.exitCode = 1;
    const speed = `${early.msPerPrompt.toFixed(3)} → ${late.msPerPrompt.toFixed(3)}`;
    const seconds = ((performance.now() - began) / 1000).toFixed(0).padStart(3);
    const said = wrong.length > 0 ? `  WRONG: ${wrong.join(", ")}` : "";
    console.log(
      `${nameOf(cell).padEnd(22)} ${mib(early.heap)} ${mib(late.heap)} ${mib(growth)}  ${speed}  ${seconds} s${said}`,
    );
  }
} finally {
  await measuring.remove();
}
