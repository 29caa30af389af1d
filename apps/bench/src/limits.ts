// Where the bars that are not met meet the machine: `limits.js [--write]` measures what their arithmetic needs.
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

Why some bars of [the results](RESULTS.md) are not met: what each message costs, and what the machine leaves over.
${machine()}.

Made by \`node apps/bench/dist/limits.js\`, after \`npx -y pnpm@10 bench\` has built it. Where the time of one cell goes, by package
and by function and in both of its processes, is shown by
\`node apps/bench/dist/profile.js "stdio chunks" "turnkit v1"\`.

## CPU time of a message

Of each process, in µs, by the difference of a large and a small run, so that neither starting nor warming up counts, and
neither does what else the machine has to do. With a core for each process a stream is as fast as the slower of the two; a
round trip takes both, one after the other.

The raw pipe is what one writes by hand: lines in batches of 64 Ki characters, each written as one string; on the other side
a scan for line ends, \`toString\` and \`JSON.parse\` of every line. It checks nothing, keeps nothing and has no order to keep.
`);

/** Sizes from which on everything warms up by the same number. */
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
say(`## Steps that nobody can leave out

Alone and warm, in µs of CPU time, without what the kernel needs to move the bytes.

${table(["step", "chunk of 60 B", "tool update of 4 KiB"], steps)}
`);

const peaks = policies.map((policy) => {
  const [own, other] = [slowConsumerPeaks(turnkit, policy), slowConsumerPeaks(sdk, policy)];
  const figures = [own.client, own.agent, other.client, other.agent].map((peak) => peak.toFixed(0));
  return [policy.length === 0 ? "nothing" : `\`${policy.join(" ")}\``, ...figures];
});
say(`## Memory of the slow consumer

Peak of each process in MiB, by what V8 is told (\`node FLAGS apps/bench/dist/cell.js "slow consumer" "turnkit v1" 500000\`;
both processes get the flags).

${table(["V8 is told", "turnkit, client", "turnkit, agent", `${sdk}, client`, `${sdk}, agent`], peaks)}
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

In kB of gzip, shared out by what is left of each part when it is minified. No package of others is in them.

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

- **Tool updates of 4 KiB, 8 × the SDK**: ${wanted.toFixed(1)} µs for the slower process. The agent's JSON and UTF-8 alone take
  ${making.toFixed(1)} µs and the client's ${reading.toFixed(1)} µs, before the kernel has moved a byte and anybody has looked at a
  member. The raw pipe, which does nothing else, comes to ${(1 / times(tools, raw, slower)).toFixed(1)} ×, turnkit to
  ${(1 / times(tools, turnkit, slower)).toFixed(1)} ×, once V8 has compiled what runs; the first 10 000 updates take it that long.
- **Chunks, 6 × the SDK**: by CPU time ${(1 / times(chunks, turnkit, slower)).toFixed(1)} ×, with a core for each process, and ${rateOver("stdio chunks", 1_000_000).toFixed(1)} × by the clock
  where there are 1 000 000. Nobody waits for anybody in the half second that 200 000 take: two cores are busy for nine tenths of
  it, and the threads with which V8 compiles and collects take three tenths of that away from the two processes
  (\`perf record -e cpu-clock node apps/bench/dist/cell.js "stdio chunks" "turnkit v1" 200000\`, then \`perf report -s tid\`).
- **Round trip over stdio, 0.65 × the SDK**: the raw pipe takes ${times(trips, raw, both).toFixed(2)} × of the SDK's CPU time,
  vscode-jsonrpc, which has neither the protocol nor a state, ${times(trips, vscode, both).toFixed(2)} ×, turnkit with state on
  both sides ${times(trips, turnkit, both).toFixed(2)} ×. Nothing waits: a process makes one \`read\` and one \`write\` in each turn, and no
  turn of the event loop lies between them (\`strace -f -e trace=read,write,epoll_pwait node apps/bench/dist/cell.js
  "stdio round trip" "turnkit v1" 300\`). To that the kernel adds what it takes to wake a process on another core, about
  40 µs here: the raw pipe's p50 is 18 µs on one core (\`taskset -c 1 node apps/bench/dist/cell.js "stdio round trip" "raw pipe"
  5000\`) and 56 to 73 µs on two, where the SDK's is 82 µs and the bar 53 µs.
- **Round trip in memory, 0.35 × the SDK**: the connection alone takes ${(await connectionCost()).toFixed(1)} µs of it for both
  sides. The rest is what a turn is: two sessions that fold it into their states, and the promises of those who wait for it
  (\`node apps/bench/dist/profile.js "memory round trip" "turnkit v1" 40000\`).
- **p99 of the round trip in memory**: the prompt that folds. What begins and ends turns is folded by threes, on both sides, which
  takes about 25 µs; of the slowest 5 000 prompts few met a collection. Folding every turn by itself gives a better p99 and a
  worse p50, by fours the reverse.
- **Slow consumer, 90 MB**: what is kept fits, as the last row shows: a MiB of the newest text (\`entryBytes\`), though the state may
  have 8. Told nothing, V8 doubles its young generation whenever as much has survived it, to 32 MiB, and lets the old one grow
  to four times what is alive before it collects there; a process that has loaded a client and said hello has 55 MiB. The SDK's
  client, which keeps no state, has the higher peak.
- **Sessions, 5 × the SDK**: four cells of each within a minute gave 3.2, 5.2, 5.5 and 7.0 ×: 100 000 updates take a third of a
  second, in which V8 has not compiled all of it. A fifth is garbage collection, a quarter the states, an eighth each the
  connection and the client (\`node apps/bench/dist/profile.js "sessions" "turnkit v1" 1000\`).
- **Fold, 20 ms and 25 × acpx**: 9 to 10 ms where nothing else happens between two of them. The cell's full collections give
  the young generation back to the machine, and to get it again, page by page, takes 2 000 faults and 4 ms; after them V8
  compiles anew what knew objects that are no more.
- **Import of the session, 5 ms**: 3.6 ms as one file, 4.3 as the two of which the build makes it, so that its other entries
  share the reducer; the rest is the package's name and what the machine does besides.
- **Sizes**: no file stands out. Reducer and one decoder in 6 kB would have to do without ${(reducer.gzip - 6).toFixed(1)} kB of ${reducer.gzip.toFixed(1)}:
  more than all of decoding and all bounds (\`bound\`, \`entry-bound\`, \`bytes\`, \`text-page\`) together. A client of one version
  in 25 kB would have ${(25 - sizeOf(1, "transport") - reducer.gzip).toFixed(1)} kB beside the connection and that reducer for what it checks, for encoding calls and for
  itself, which are ${(sizeOf(1, "all") - sizeOf(1, "transport") - reducer.gzip).toFixed(1)}; an agent ${(25 - sizeOf(3, "transport") - reducer.gzip).toFixed(1)} of ${(sizeOf(3, "all") - sizeOf(3, "transport") - reducer.gzip).toFixed(1)}. The bars for the parts and those for the whole
  do not fit each other either: transport (6), reducer with a codec (7) and the checks of version 1 (6) leave 6 kB for a client.
`);
if (parseArgs({ options: { write: { type: "boolean", default: false } } }).values.write) {
  writeFileSync(fileURLToPath(new URL("../LIMITS.md", import.meta.url)), parts.join("\n"));
}

/** Returns the share of one package in a bundle, or the size of the whole. */
function sizeOf(bundle: number, what: "all" | "transport"): number {
  return shares[bundle]?.[what === "all" ? 1 : 2] ?? 0;
}

/** By how much more a second than of the SDK arrives of turnkit, by the clock. */
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
