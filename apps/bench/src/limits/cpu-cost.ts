import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { spread } from "../cells.js";

/** CPU time of one process, in microseconds. */
type Usage = { readonly process: "client" | "agent"; readonly user: number; readonly system: number };

/**
 * Cost of one message in both processes of a cell, in microseconds of CPU time. Some cells have both ends in one
 * process.
 */
export type CpuCost = {
  readonly client: Pick<Usage, "user" | "system">;
  readonly agent: Pick<Usage, "user" | "system"> | undefined;
};

const ROUNDS = 3;

/**
 * Measures the cost of a message as the difference between a large and a small run. The difference contains no start,
 * no warm-up and no other load on the machine.
 */
export async function cpuCost(scenario: string, implementation: string, size: number): Promise<CpuCost> {
  const processes = scenario.startsWith("memory") ? (["client"] as const) : (["client", "agent"] as const);
  const large = 3 * size;
  const rounds: (readonly Usage[])[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const more = await usagesOf(scenario, implementation, large, processes.length);
    const less = await usagesOf(scenario, implementation, size, processes.length);
    rounds.push(
      more.map((usage) => {
        const before = less.find((other) => other.process === usage.process) as Usage;
        const each = (name: "user" | "system") => (usage[name] - before[name]) / (large - size);
        return { process: usage.process, user: each("user"), system: each("system") };
      }),
    );
  }
  const middle = (which: Usage["process"]) => {
    const own = rounds.flatMap((usages) => usages.filter(({ process }) => process === which));
    return { user: spread(own.map(({ user }) => user)).median, system: spread(own.map(({ system }) => system)).median };
  };
  return { client: middle("client"), agent: processes.length > 1 ? middle("agent") : undefined };
}

/** Runs one cell and reads the CPU times that its processes have written. */
async function usagesOf(
  scenario: string,
  implementation: string,
  size: number,
  processes: number,
): Promise<readonly Usage[]> {
  const folder = mkdtempSync(join(tmpdir(), "turnkit-cpu-"));
  try {
    const file = join(folder, "usage");
    const preload = new URL(`./limits/cpu-usage.js?file=${encodeURIComponent(file)}`, import.meta.url).href;
    const cell = fileURLToPath(new URL("./cell.js", import.meta.url));
    // The agent of a cell gets the same flags as the cell.
    const flags = ["--import", preload, "--expose-gc"];
    const child = spawnSync(process.execPath, [...flags, cell, scenario, implementation, String(size)], {
      stdio: ["ignore", "ignore", "inherit"],
    });
    if (child.status !== 0) throw new Error(`${scenario}, ${implementation}, ${size}: exit ${child.status}`);
    for (;;) {
      const usages = readFileSync(file, "utf8").trimEnd().split("\n");
      if (usages.length === processes) return usages.map((line) => JSON.parse(line) as Usage);
      // An agent may exit after the cell.
      await delay(20);
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
}
