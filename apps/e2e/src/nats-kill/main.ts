// pnpm nats-kill --rounds 1000 [--brokers 3] [--worlds 4] [--fault gateway]: kills gateways and brokers, cuts and stops their
// connections, counts what was lost, and prints the median and the longest time of the moves to the other gateway.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { noBroker } from "./broker.js";
import { FAULTS } from "./faults.js";
import { killOnNats, type Losses } from "./kills.js";

const { values } = parseArgs({
  options: {
    rounds: { type: "string", default: "1000" },
    brokers: { type: "string", default: "1" },
    worlds: { type: "string", default: "4" },
    fault: { type: "string", multiple: true },
  },
});
if (noBroker !== undefined) throw new Error(noBroker);
const worlds = Number(values.worlds);
const brokers = values.brokers === "3" ? 3 : 1;
const faults = FAULTS.filter((fault) => values.fault?.includes(fault) ?? true);
const folder = await mkdtemp(join(tmpdir(), "nats-kill-"));
const runs = Array.from({ length: worlds }, (_, world) =>
  killOnNats(
    { rounds: Math.ceil(Number(values.rounds) / worlds), brokers, faults },
    join(folder, `${world}`),
    Math.random,
  ),
);
// Each world ends its processes, even if another one has failed.
await Promise.allSettled(runs);
const results: Losses[] = await Promise.all(runs);
for (const { takeovers, handovers, ...losses } of results) process.stdout.write(`${JSON.stringify(losses)}\n`);
for (const which of ["takeovers", "handovers"] as const) {
  const times = results.flatMap((losses) => losses[which]).sort((one, other) => one - other);
  const [median, longest] = [times[times.length >> 1], times.at(-1)].map((ms) => ms?.toFixed(0));
  if (times.length > 0) process.stdout.write(`${times.length} ${which}: median ${median} ms, longest ${longest} ms\n`);
}
const isWhole = results.every(({ lost, twice, hanging }) => [lost, twice, hanging].every(({ length }) => length === 0));
if (isWhole) await rm(folder, { recursive: true });
else process.stdout.write(`The storage is kept: ${folder}\n`);
process.exit(isWhole ? 0 : 1);
