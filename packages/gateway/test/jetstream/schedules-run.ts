import { runSchedule } from "./schedule.js";

const at = process.argv.indexOf("--seeds");
const seeds = at < 0 ? 100_000 : Number(process.argv[at + 1]);
const started = performance.now();
let acknowledged = 0;
let ownerships = 0;
let failed = 0;
for (let seed = 1; seed <= seeds; seed += 1) {
  const outcome = await runSchedule(seed).catch((error: unknown) => {
    throw new Error(`seed ${seed}`, { cause: error });
  });
  acknowledged += outcome.acknowledged;
  ownerships += outcome.ownerships;
  if (outcome.problems.length > 0) {
    failed += 1;
    console.error(`seed ${seed}: ${outcome.problems[0]}`);
  }
  if (seed % 10_000 === 0) console.log(`${seed} schedules, ${failed} failed`);
}
const seconds = Math.round((performance.now() - started) / 1000);
console.log(
  `${seeds} schedules in ${seconds} s: ${ownerships} ownerships, ${acknowledged} acknowledged events, ${failed} failed`,
);
process.exitCode = failed > 0 ? 1 : 0;
