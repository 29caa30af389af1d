import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

/** Flags of V8 for each row: none, a small young generation, and an earlier collection of the old generation. */
export const policies: readonly (readonly string[])[] = [
  [],
  ["--max-semi-space-size=2"],
  ["--max-semi-space-size=2", "--heap-growing-percent=50"],
];

/** Measures the peak memory of both processes of the slow consumer with flags of V8, in MiB. */
export function slowConsumerPeaks(
  implementation: string,
  policy: readonly string[],
): { client: number; agent: number } {
  const cell = fileURLToPath(new URL("./cell.js", import.meta.url));
  const { status, stdout } = spawnSync(process.execPath, [...policy, cell, "slow consumer", implementation, "500000"], {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
  });
  if (status !== 0) throw new Error(`slow consumer, ${implementation}: exit ${status}`);
  return JSON.parse(stdout.trimEnd().split("\n").at(-1) ?? "") as { client: number; agent: number };
}
