import { spawn } from "node:child_process";
import { loadavg } from "node:os";
import { createInterface } from "node:readline";
import { parseArgs } from "node:util";
import { runSource } from "../process/source.js";
import { besiege, type Outcome } from "./siege.js";

// Attacks a server in another process, and prints each outcome and the memory of the server. Ends with 1 if an outcome is
// not the stated one, or if the memory of the server grew by more than 64 MiB. npx -y pnpm@10 siege; needs `ulimit -n 20000`
const { values } = parseArgs({
  options: { idle: { type: "string", default: "9900" }, streams: { type: "string", default: "1000" } },
});

/** Growth of memory that V8 may keep for itself, in bytes. */
const MOST_GROWTH = 64 * 2 ** 20;

const [command, ...args] = runSource(new URL("./siege-server-main.ts", import.meta.url));
const child = spawn(command, ["--expose-gc", ...args], { stdio: ["pipe", "pipe", "inherit"] });
const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
const next = async () => Number((await lines.next()).value);
const memory = () => {
  child.stdin.write("\n");
  return next();
};
const place = { port: await next(), memory };
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
const before = await memory();
const table: (Outcome & { readonly "RSS, MiB": number })[] = [];
await besiege(place, scale, async (one) => {
  const row = { ...one, "RSS, MiB": Math.round((await memory()) / 2 ** 20) };
  table.push(row);
  console.log(
    `${one.outcome === one.expected ? "holds" : "FAILS"} | ${one.name} | ${one.outcome} | ${row["RSS, MiB"]} MiB`,
  );
});
await new Promise((resolve) => setTimeout(resolve, 7_000));
const after = await memory();
const mib = (bytes: number) => Math.round(bytes / 2 ** 20);
console.log(`RSS of the server: ${mib(before)} MiB before, ${mib(after)} MiB after; load ${loadavg()[0]?.toFixed(1)}`);
child.stdin.end();
const holds = table.every(({ outcome, expected }) => outcome === expected) && after - before < MOST_GROWTH;
console.log(holds ? "all held" : "broken");
process.exit(holds ? 0 : 1);
