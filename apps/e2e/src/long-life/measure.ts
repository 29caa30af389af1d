import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { build } from "esbuild";
import type { Cell, Reading } from "./cell.js";

/** Measures cells, each in a fresh process, as users run the code: a loader of TypeScript would be part of the heap. */
export type Measuring = {
  /** One reading at each number of prompts. */
  measure(cell: Cell, marks: readonly number[]): Promise<readonly Reading[]>;
  remove(): Promise<void>;
};

export async function prepareMeasuring(): Promise<Measuring> {
  const folder = await mkdtemp(join(tmpdir(), "turnkit-long-life-"));
  const outfile = join(folder, "cell.mjs");
  await build({
    entryPoints: [fileURLToPath(new URL("cell-main.ts", import.meta.url))],
    outfile,
    bundle: true,
    platform: "node",
    format: "esm",
    conditions: ["@turnkit/source"],
  });
  return {
    async measure(cell, marks) {
      const parameters = ["--expose-gc", outfile, JSON.stringify(cell), ...marks.map(String)];
      const { stdout } = await promisify(execFile)(process.execPath, parameters);
      return JSON.parse(stdout);
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}
