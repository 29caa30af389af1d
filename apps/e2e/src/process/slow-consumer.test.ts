import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

let folder = "";

// Built, as users run it: a loader of TypeScript sources would be part of the memory that is measured.
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "turnkit-slow-"));
  await build({
    entryPoints: ["slow-client.ts", "flooding-agent-main.ts"].map((name) =>
      fileURLToPath(new URL(name, import.meta.url)),
    ),
    outdir: folder,
    outExtension: { ".js": ".mjs" },
    bundle: true,
    splitting: true,
    platform: "node",
    format: "esm",
    conditions: ["@turnkit/source"],
  });
});

afterAll(() => rm(folder, { recursive: true, force: true }));

describe("200 000 updates of 1 kB into a slow listener", () => {
  it("make the agent wait, cost the client less than 60 MB, and all arrive in order", async () => {
    // On a machine with much memory V8 lets garbage pile up to four times what lives before it collects old objects;
    // with a heap limit below 2 GiB, as small machines have by default, to twice. Here the small machine is measured.
    const flags = ["--expose-gc", "--max-old-space-size=1024"];
    const { stdout } = await promisify(execFile)(process.execPath, [
      ...flags,
      join(folder, "slow-client.mjs"),
      process.execPath,
      join(folder, "flooding-agent-main.mjs"),
    ]);
    const seen = JSON.parse(stdout);
    expect(seen).toMatchObject({ stopReason: "end_turn", told: 200_000, inOrder: true });
    expect(seen.stateBytes).toBeLessThanOrEqual(8 * 1024 * 1024);
    expect(seen.grownMiB).toBeLessThan(60);
    // The listener's budget (1 000) and what the pipes and their two ends hold (about 400 such messages).
    expect(Number(seen.waitedAt.slice("waited at ".length))).toBeLessThan(2_000);
  }, 60_000);
});
