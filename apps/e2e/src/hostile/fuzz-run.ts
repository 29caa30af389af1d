import { parseArgs } from "node:util";
import type { DialectName } from "@turnkit/session";
import { agentTarget } from "./agent-target.js";
import { clientTarget } from "./client-target.js";
import { fuzz, type Side } from "./fuzz.js";

// Writes hostile lines into our agent and into our client, so many into each, in every dialect in turn. Ends with 1 if one
// of them fails a good request, leaves an error uncaught, or keeps more and more memory.
// npx -y pnpm@10 fuzz --lines 1000000 --seed 7
const { values } = parseArgs({
  options: { lines: { type: "string", default: "1000000" }, seed: { type: "string", default: "20261121" } },
});
const lines = Math.ceil(Number(values.lines) / 3);
const seed = Number(values.seed);
if (!(lines > 0) || !Number.isInteger(seed)) throw new TypeError("--lines and --seed are whole numbers.");

/** Largest growth of the heap from beginning to end: less than half a byte for each of a million lines. */
const mostGrowth = 4 * 1024 * 1024;
const mib = (bytes: number) => (bytes / 1024 / 1024).toFixed(1);
const sides: Readonly<Record<string, Side>> = { agent: agentTarget, client: clientTarget };
const dialects: readonly DialectName[] = ["v1", "v2", "seed"];

console.log(`seed ${seed}`);
for (const [side, open] of Object.entries(sides)) {
  for (const dialect of dialects) {
    const started = performance.now();
    try {
      const done = await fuzz(() => open(dialect), { lines, seed, samples: 16 });
      const { firstQuarter = Number.NaN, lastQuarter = Number.NaN } = done.heap ?? {};
      const isFlat = lastQuarter - firstQuarter < mostGrowth;
      if (!isFlat) process.exitCode = 1;
      console.log(
        `${side} ${dialect}: ${done.lines} lines in ${((performance.now() - started) / 1000).toFixed(1)} s, ` +
          `${done.good} good conversations, ${done.sent} messages sent, ${done.reported} diagnostics, ` +
          `heap ${mib(firstQuarter)} → ${mib(lastQuarter)} MiB${isFlat ? "" : ": NOT FLAT"}`,
      );
    } catch (error) {
      process.exitCode = 1;
      console.log(`${side} ${dialect}: FAILED`, error);
    }
  }
}
