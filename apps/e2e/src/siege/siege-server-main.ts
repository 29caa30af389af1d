import { createInterface } from "node:readline";
import { liveMemory, startSiegeServer } from "./siege-server.js";

// Serves until the end of its input. For each line of input it collects garbage, and prints its live memory and its RSS in bytes.
const { port } = await startSiegeServer({ headerMs: 10_000, bodyMs: 20_000 });
process.stdout.write(`${port}\n`);
for await (const _ of createInterface({ input: process.stdin })) {
  for (let round = 0; round < 4; round += 1) {
    globalThis.gc?.();
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  process.stdout.write(`${liveMemory()} ${process.memoryUsage().rss}\n`);
}
process.exit(0);
