// `limits.js [--write]` measures the lowest costs of a message, which explain the bars that are not met.
import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { medianOf } from "./cells.js";
import { interleave } from "./interleave.js";
import { bundleParts, byFile, byPackage } from "./limits/bundle-parts.js";
import { connectionCost } from "./limits/connection.js";
import { type CpuCost, cpuCost } from "./limits/cpu-cost.js";
import { policies, slowConsumerPeaks } from "./limits/memory.js";
import { stepCosts } from "./limits/steps.js";
import { machine } from "./machine.js";
import { scenarios } from "./scenarios.js";

const sdk = "SDK 2.4.0 v1";
const raw = "raw pipe";
const vscode = "vscode-jsonrpc 8";
const turnkit = "turnkit v1";

/** Costs of one scenario by implementation. */
type Costs = ReadonlyMap<string, CpuCost>;

const parts: string[] = [];
const say = (part: string) => {
  parts.push(part);
  process.stdout.write(`${part}\n`);
};

say(`# Limits

This page explains why some bars of [the results](RESULTS.md) are not met. It has the cost of each message, and the lowest cost
that this machine allows.
${machine()}.

Made by \`node apps/bench/dist/limits.js\`, after \`npx -y pnpm@10 bench\` has built it.
\`node apps/bench/dist/profile.js "stdio chunks" "turnkit v1"\` shows the time of one cell by package and function, in both of its
processes.

## CPU time of a message

The tables have the CPU time of each process in µs. A value is the difference between a large and a small run, so it contains no
start, no warm-up and no other load on the machine. If each process has a core, the slower process decides the rate of a stream.
A round trip takes the sum of both times.

The raw pipe is the shortest program for this work. It writes batches of lines, 64 Ki characters as one string. The other side
searches for line ends, and calls \`toString\` and \`JSON.parse\` for every line. The raw pipe checks nothing, has no state, and keeps no
order of calls.
`);

/** Sizes above which the warm-up costs the same for every number. */
const chunks = await costsOf("stdio chunks", 100_000, [turnkit, sdk, raw]);
say(`### stdio chunks\n\n${rates(chunks)}\n`);
const tools = await costsOf("stdio tool updates", 20_000, [turnkit, sdk, raw]);
say(`### stdio tool updates\n\n${rates(tools)}\n`);
const trips = await costsOf("stdio round trip", 20_000, [turnkit, sdk, vscode, raw]);
say(`### stdio round trip\n\n${roundTrips(trips)}\n`);
const memoryTrips = await costsOf("memory round trip", 20_000, [turnkit, sdk]);
say(`### memory round trip\n\n${roundTrips(memoryTrips)}\n`);

const [small, large] = [stepCosts("chunk", 20_000), stepCosts("tool", 2_000)];
const steps = Object.entries(small).map(([step, time]) => [step, time.toFixed(2), (large[step] as number).toFixed(2)]);
say(`## Steps that every implementation needs

Each step is measured alone and after a warm-up, in µs of CPU time, without the work of the kernel for moving bytes.

${table(["step", "chunk of 60 B", "tool update of 4 KiB"], steps)}
`);

const peaks = policies.map((policy) => {
  const [own, other] = [slowConsumerPeaks(turnkit, policy), slowConsumerPeaks(sdk, policy)];
  const figures = [own.client, own.agent, other.client, other.agent].map((peak) => peak.toFixed(0));
  return [policy.length === 0 ? "none" : `\`${policy.join(" ")}\``, ...figures];
});
say(`## Memory of the slow consumer

Peak of each process in MiB, by the flags of V8 (\`node FLAGS apps/bench/dist/cell.js "slow consumer" "turnkit v1" 500000\`;
both processes get the flags).

${table(["flags of V8", "turnkit, client", "turnkit, agent", `${sdk}, client`, `${sdk}, agent`], peaks)}
`);

const bundles = {
  "client, all dialects": `export { connect } from "@turnkit/client"`,
  "client, version 1 alone": `export { connectWith, v1Dialect } from "@turnkit/client"`,
  "agent, all dialects": `export { createAgent } from "@turnkit/agent"`,
  "agent, version 1 alone": `export { createAgentWith, v1Dialect } from "@turnkit/agent"`,
};
const shares = await Promise.all(
  Object.entries(bundles).map(async ([name, source]) => {
    const { gzip, parts } = await bundleParts(source, byPackage);
    const own = parts.get("client") ?? parts.get("agent");
    return [name, gzip, parts.get("transport"), parts.get("schema"), parts.get("session"), own] as const;
  }),
);
const reducer = await bundleParts(`export { reduce, createSessionState, decodeV1 } from "@turnkit/session"`, byFile);
const files = [...reducer.parts].map(([file, share]) => [`\`${file}\``, share.toFixed(2)]);
say(`## Bytes of the bundles

Sizes are in kB of gzip. A part's share is its share of the minified bytes. The bundles contain no package of other projects.

${table(
  ["bundle", "all", "transport", "schema", "session", "its own"],
  shares.map(([name, ...sizes]) => [name, ...sizes.map((size) => (size ?? 0).toFixed(1))]),
)}

The reducer with the decoder of version 1, ${reducer.gzip.toFixed(1)} kB, by its files:

${table(["file", "kB"], files)}
`);

const [making, reading] = ["agent", "client"].map((side) =>
  Object.entries(large).reduce((sum, [step, time]) => (step.startsWith(side) ? sum + time : sum), 0),
) as [number, number];
const wanted = slower(cost(tools, sdk)) / 8;
const times = (costs: Costs, name: string, by: (cost: CpuCost) => number) =>
  by(cost(costs, name)) / by(cost(costs, sdk));
say(`## Bar by bar

- **Tool updates of 4 KiB, 8 × the SDK**: the bar allows ${wanted.toFixed(1)} µs for the slower process. JSON and UTF-8 alone take ${making.toFixed(1)} µs in
  the agent and ${reading.toFixed(1)} µs in the client, without the kernel and without any check of a member. The raw pipe does only these steps
  and reaches ${(1 / times(tools, raw, slower)).toFixed(1)} ×. turnkit reaches ${(1 / times(tools, turnkit, slower)).toFixed(1)} × after V8 has compiled the code, which takes the first 10 000 updates.
- **Chunks, 6 × the SDK**: with a core for each process, the CPU time allows ${(1 / times(chunks, turnkit, slower)).toFixed(1)} ×. By the clock, turnkit reaches ${rateOver("stdio chunks", 1_000_000).toFixed(1)} × with
  1 000 000 chunks. 200 000 chunks take half a second, and neither process waits for the other. In this time, the two cores are busy
  for nine tenths. The threads of V8 for compilation and garbage collection use three tenths of the CPU time
  (\`perf record -e cpu-clock node apps/bench/dist/cell.js "stdio chunks" "turnkit v1" 200000\`, then \`perf report -s tid\`).
- **Round trip over stdio, 0.65 × the SDK**: the raw pipe takes ${times(trips, raw, both).toFixed(2)} × of the SDK's CPU time. vscode-jsonrpc, which has neither the
  protocol nor a state, takes ${times(trips, vscode, both).toFixed(2)} ×. turnkit with state on both sides takes ${times(trips, turnkit, both).toFixed(2)} ×. There is no idle time: in each turn a process makes
  one \`read\` and one \`write\`, with no turn of the event loop between them (\`strace -f -e trace=read,write,epoll_pwait node
  apps/bench/dist/cell.js "stdio round trip" "turnkit v1" 300\`). In addition, the kernel wakes a process on another core, which takes
  about 40 µs here. The p50 of the raw pipe is 18 µs on one core (\`taskset -c 1 node apps/bench/dist/cell.js "stdio round trip"
  "raw pipe" 5000\`), and 56 to 73 µs on two cores. There, the SDK has 82 µs, and the bar is 53 µs.
- **Round trip in memory, 0.35 × the SDK**: the connection takes ${(await connectionCost()).toFixed(1)} µs for both sides. The rest is the work of a turn: two sessions
  fold the turn into their states, and promises settle (\`node apps/bench/dist/profile.js "memory round trip" "turnkit v1" 40000\`).
- **p99 of the round trip in memory**: these are the prompts with a fold. Both sides fold the starts and ends of three turns
  together, which takes about 25 µs. Garbage collections affect few of the slowest 5 000 prompts. Folding each turn alone makes the p99
  better and the p50 worse. Folding four together does the opposite.
- **Slow consumer, 90 MB**: the kept data fits, as the last row shows: 1 MiB of the newest text (\`entryBytes\`), of the 8 MiB that the
  state may have. Without flags, V8 doubles its young generation, up to 32 MiB, each time as many bytes have survived a collection. The
  old generation grows to four times the live bytes before a collection. A process with a client after \`initialize\` has 55 MiB. The
  client of the SDK has no state, and a higher peak.
- **Sessions, 5 × the SDK**: four cells of each implementation within a minute gave 3.2, 5.2, 5.5 and 7.0 ×. 100 000 updates take a
  third of a second. V8 does not compile all of the code in this time. A fifth of the time is garbage collection, a quarter is the
  states, and the connection and the client take an eighth each
  (\`node apps/bench/dist/profile.js "sessions" "turnkit v1" 1000\`).
- **Fold, 20 ms and 25 × acpx**: two successive folds without other work take 9 to 10 ms each. The full garbage collections of the cell
  return the young generation to the operating system. To get it again, page by page, takes 2 000 page faults and 4 ms. After the
  collections, V8 also compiles again the functions that were optimised for collected objects.
- **Import of the session, 5 ms**: one file takes 3.6 ms. The build makes two files, so that the other entries share the reducer; these
  take 4.3 ms. The rest is the resolution of the package's name, and other load on the machine.
- **Sizes**: no file is unusually large. For a reducer and one decoder in 6 kB, ${(reducer.gzip - 6).toFixed(1)} of ${reducer.gzip.toFixed(1)} kB would have to go. This is more than all of
  decoding and all bounds (\`bound\`, \`entry-bound\`, \`bytes\`, \`text-page\`) together. In 25 kB, a client of one version would have ${(25 - sizeOf(1, "transport") - reducer.gzip).toFixed(1)} kB
  beside the connection and this reducer. Its checks, its encoding of calls and its own code need ${(sizeOf(1, "all") - sizeOf(1, "transport") - reducer.gzip).toFixed(1)} kB. An agent would have ${(25 - sizeOf(3, "transport") - reducer.gzip).toFixed(1)} kB and
  needs ${(sizeOf(3, "all") - sizeOf(3, "transport") - reducer.gzip).toFixed(1)} kB. The bars for the parts do not fit the bars for the whole either: transport (6), reducer with a codec (7) and the
  checks of version 1 (6) leave 6 kB for a client.
`);
if (parseArgs({ options: { write: { type: "boolean", default: false } } }).values.write) {
  writeFileSync(fileURLToPath(new URL("../LIMITS.md", import.meta.url)), parts.join("\n"));
}

/** Returns the share of one package in a bundle, or the size of the whole. */
function sizeOf(bundle: number, what: "all" | "transport"): number {
  return shares[bundle]?.[what === "all" ? 1 : 2] ?? 0;
}

/** Returns the rate of turnkit divided by the rate of the SDK, by the clock. */
function rateOver(name: string, size: number): number {
  const scenario = scenarios.find((candidate) => candidate.name === name);
  const { [turnkit]: own, [sdk]: other } = scenario?.implementations ?? {};
  if (scenario === undefined || own === undefined || other === undefined) throw new Error(`No scenario "${name}"`);
  const cells = interleave({ ...scenario, implementations: { [turnkit]: own, [sdk]: other } }, [size], 3);
  const [ours = Number.NaN, theirs = Number.NaN] = cells.map((cell) => medianOf(cell, "rate"));
  return ours / theirs;
}

async function costsOf(scenario: string, size: number, implementations: readonly string[]): Promise<Costs> {
  const costs = new Map<string, CpuCost>();
  for (const implementation of implementations) {
    costs.set(implementation, await cpuCost(scenario, implementation, size));
  }
  return costs;
}

function cost(costs: Costs, implementation: string): CpuCost {
  return costs.get(implementation) as CpuCost;
}

function whole(side: CpuCost["agent"]): number {
  return side === undefined ? 0 : side.user + side.system;
}

function slower({ client, agent }: CpuCost): number {
  return Math.max(whole(client), whole(agent));
}

function both({ client, agent }: CpuCost): number {
  return whole(client) + whole(agent);
}

function rates(costs: Costs): string {
  return costTable(costs, "rate at most", (cost) => [
    `${Math.round(1e6 / slower(cost)).toLocaleString("en")}/s`,
    slower(costs.get(sdk) as CpuCost) / slower(cost),
  ]);
}

function roundTrips(costs: Costs): string {
  return costTable(costs, "both", (cost) => [both(cost).toFixed(1), both(cost) / both(costs.get(sdk) as CpuCost)]);
}

function costTable(costs: Costs, bound: string, boundOf: (cost: CpuCost) => readonly [string, number]): string {
  const rows = [...costs].map(([implementation, cost]) => {
    const times = [cost.client.user, cost.client.system, cost.agent?.user, cost.agent?.system];
    const [shown, ratio] = boundOf(cost);
    return [implementation, ...times.map((time) => time?.toFixed(2) ?? ""), shown, ratio.toFixed(2)];
  });
  const head = ["implementation", "client", "its kernel time", "agent", "its kernel time", bound, `× ${sdk}`];
  return table(head, rows);
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  return [line(head), line(head.map((_, index) => (index === 0 ? "---" : "--:"))), ...rows.map(line)].join("\n");
}
