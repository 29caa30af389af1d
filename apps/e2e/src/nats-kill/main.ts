// pnpm nats-kill --rounds 1000 [--brokers 3] [--worlds 4]: kills gateways and brokers, cuts and stops their connections, and
// counts what was lost.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { noBroker } from "./broker.js";
import { killOnNats, type Losses } from "./kills.js";

const { values } = parseArgs({
  options: {
    rounds: { type: "string", default: "1000" },
    brokers: { type: "string", default: "1" },
    worlds: { type: "string", default: "4" },
  },
});
if (noBroker !== undefined) throw new Error(noBroker);
const worlds = Number(values.worlds);
const brokers = values.brokers === "3" ? 3 : 1;
const folder = await mkdtemp(join(tmpdir(), "nats-kill-"));
const runs = Array.from({ length: worlds }, (_, world) =>
  killOnNats({ rounds: Math.ceil(Number(values.rounds) / worlds), brokers }, join(folder, `${world}`), Math.random),
);
const results: Losses[] = await Promise.all(runs);
await rm(folder, { recursive: true });
for (const losses of results) process.stdout.write(`${JSON.stringify(losses)}\n`);
const isWhole = results.every(({ lost, twice, hanging }) => [lost, twice, hanging].every(({ length }) => length === 0));
process.exit(isWhole ? 0 : 1);
