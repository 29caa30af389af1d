import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Cell } from "./cells.js";
import type { Found, Scenario } from "./scenario.js";

const cellProgram = fileURLToPath(new URL("./cell.js", import.meta.url));

/** Cell of this code, and the same cell of another checkout. */
export type Pair = { readonly before: Cell; readonly after: Cell };

/** Returns true for a failure of a checkout that does not have the cell. */
export const isUnknownCell = (error: unknown): boolean =>
  error instanceof Error && error.message.includes("No scenario");

/**
 * Runs the cells of turnkit in a scenario alternately with those of another checkout. The checkout must be built, and
 * `folder` is its root. Cells of other implementations do not run, because their code is the same in both.
 */
export function interleaveWith(folder: string, scenario: Scenario, size: number, rounds: number): readonly Pair[] {
  const names = Object.keys(scenario.implementations).filter((name) =>
    /turnkit|^session|^client|^agent|^transport/.test(name),
  );
  const pairs = names.map((implementation) => {
    const cell = () => ({ implementation, size, runs: [] as Found[] });
    return { before: cell(), after: cell() };
  });
  const other = join(folder, "apps/bench/dist/cell.js");
  for (let round = 0; round < rounds; round++) {
    for (const { before, after } of pairs) {
      const { implementation } = before;
      const runs = [
        () => before.runs.push(runCell(scenario.name, implementation, size, other)),
        () => after.runs.push(runCell(scenario.name, implementation, size)),
      ];
      for (const run of round % 2 === 0 ? runs : runs.reverse()) run();
    }
  }
  return pairs;
}

/**
 * Runs every cell `rounds` times, each time in a new process. The implementations take turns, and each round begins
 * with another one. Heat and other load on the machine therefore affect all of them.
 */
export function interleave(scenario: Scenario, sizes: readonly number[], rounds: number): readonly Cell[] {
  const cells = sizes.flatMap((size) =>
    Object.keys(scenario.implementations).map((implementation) => ({ implementation, size, runs: [] as Found[] })),
  );
  for (let round = 0; round < rounds; round++) {
    const first = round % cells.length;
    for (const cell of [...cells.slice(first), ...cells.slice(0, first)]) {
      cell.runs.push(runCell(scenario.name, cell.implementation, cell.size));
    }
  }
  return cells;
}

function runCell(scenario: string, implementation: string, size: number, program = cellProgram): Found {
  const child = spawnSync(process.execPath, ["--expose-gc", program, scenario, implementation, String(size)], {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe"],
    maxBuffer: 64 * 1024 * 1024,
  });
  const last = child.stdout.trimEnd().split("\n").at(-1);
  if (child.status !== 0 || last === undefined) {
    throw new Error(`${scenario}, ${implementation}, ${size}: exit ${child.status}\n${child.stderr}`);
  }
  return JSON.parse(last) as Found;
}
