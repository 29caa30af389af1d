import { loadavg } from "node:os";
import { parseArgs } from "node:util";
import { ServerProcess } from "./server-process.js";
import { besiege, type Outcome } from "./siege.js";

// Attacks a server in another process, and prints each outcome and the memory of the server. Ends with 1 if an outcome is
// not the stated one, if the server ends, or if its live memory grew by more than 16 MiB. npx -y pnpm@10 siege; needs
// `ulimit -n 20000`
const { values } = parseArgs({
  options: { idle: { type: "string", default: "9900" }, streams: { type: "string", default: "1000" } },
});

/** Growth of live memory after all attacks, in bytes: code that was compiled, and caches. */
const MOST_GROWTH = 16 * 2 ** 20;

const mib = (bytes: number) => Math.round(bytes / 2 ** 20);

const server = await ServerProcess.start();
const place = { port: server.port, memory: async () => (await server.memory()).live };
const scale = {
  slow: 500,
  idle: Number(values.idle),
  streams: Number(values.streams),
  connections: 20,
  requests: 1_000,
  headerMs: 10_000,
  bodyMs: 20_000,
};
// The first use of each part loads code, which stays.
await besiege(place, { ...scale, slow: 5, idle: 50, streams: 5, connections: 2, requests: 100 });
const before = await server.memory();
const table: Outcome[] = [];
await besiege(place, scale, async (one) => {
  table.push(one);
  const { live, rss } = await server.memory();
  const verdict = one.outcome === one.expected ? "holds" : "FAILS";
  console.log(`${verdict} | ${one.name} | ${one.outcome} | ${mib(live)} MiB live, RSS ${mib(rss)} MiB`);
});
await new Promise((resolve) => setTimeout(resolve, 7_000));
const after = await server.memory();
console.log(
  `live memory of the server: ${mib(before.live)} MiB before, ${mib(after.live)} MiB after; RSS ${mib(before.rss)} and ${mib(after.rss)} MiB; load ${loadavg()[0]?.toFixed(1)}`,
);
server.end();
const holds = table.every(({ outcome, expected }) => outcome === expected) && after.live - before.live < MOST_GROWTH;
console.log(holds ? "all held" : "broken");
process.exit(holds ? 0 : 1);
