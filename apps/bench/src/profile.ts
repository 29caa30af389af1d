// Prints the time of one cell by package and function, for both of its processes: `profile.js SCENARIO IMPLEMENTATION
// [SIZE]`.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { type CpuProfile, ranked, selfTimes } from "./profile/self-times.js";
import { scenarios } from "./scenarios.js";

const [name, implementation = "turnkit v1", size] = process.argv.slice(2);
const scenario = scenarios.find((scenario) => scenario.name === name);
if (scenario?.implementations[implementation] === undefined) {
  throw new Error(
    `No scenario "${name}" for "${implementation}"; there are: ${scenarios.map((s) => s.name).join(", ")}`,
  );
}
/** Scenarios whose agent is a process of its own. */
const withAgent = /^(stdio|whole way|slow consumer)/;
const count = size ?? String(scenario.sizes.at(-1));
const folder = mkdtempSync(join(tmpdir(), "turnkit-profile-"));
try {
  // The agent of a cell gets the same flags as the cell.
  const flags = ["--expose-gc", "--cpu-prof", `--cpu-prof-dir=${folder}`, "--cpu-prof-interval=250"];
  const cell = fileURLToPath(new URL("./cell.js", import.meta.url));
  const child = spawnSync(process.execPath, [...flags, cell, scenario.name, implementation, count], {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
  });
  if (child.status !== 0) process.exit(1);
  const found = child.stdout.trimEnd().split("\n").at(-1);
  process.stdout.write(`## ${scenario.name}, ${implementation}, ${count}: ${found}\n`);
  const processes = withAgent.test(scenario.name) ? 2 : 1;
  // An agent writes its profile at its exit, which may be after the end of the cell.
  while (readdirSync(folder).length < processes) await delay(50);
  for (const file of readdirSync(folder).sort()) report(await readProfile(join(folder, file)));
} finally {
  rmSync(folder, { recursive: true });
}

async function readProfile(file: string): Promise<CpuProfile> {
  for (;;) {
    try {
      return JSON.parse(readFileSync(file, "utf8")) as CpuProfile;
    } catch {
      // The file is incomplete while the process writes it.
      await delay(50);
    }
  }
}

function report(profile: CpuProfile): void {
  const isAgent = profile.nodes.some(
    ({ callFrame }) => callFrame.url.endsWith("/agent.js") && callFrame.url.includes("/bench/"),
  );
  const { total, byLayer, byFunction } = selfTimes(profile);
  const part = (title: string, rows: readonly string[]) =>
    `\n| share | self time | ${title} |\n| --: | --: | --- |\n${rows.map((row) => `| ${row} |`).join("\n")}\n`;
  process.stdout.write(`\n### ${isAgent ? "agent" : "client"}, ${total.toFixed(0)} ms from start to end\n`);
  process.stdout.write(part("layer", ranked(byLayer, total, 20)));
  process.stdout.write(part("function", ranked(byFunction, total, 15)));
}
