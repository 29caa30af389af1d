import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { build, type Plugin } from "esbuild";
import type { TestProject } from "vitest/node";
import { root } from "./workspace.js";

/** Programs that tests start as processes, by workspace. A loader of TypeScript would be most of each start. */
const programs: Readonly<Record<string, readonly string[]>> = {
  "packages/agent": ["test/fixtures/main.ts", "test/fixtures/kept-main.ts", "test/fixtures/log-writer.ts"],
  "packages/transport": ["test/fixtures/client.ts"],
  "apps/cli-agent": ["src/main.ts"],
  "apps/node-client": ["src/main.ts", "test/scripted-agent.ts"],
  "apps/e2e": [
    "src/interop/official-agent.ts",
    "src/interop/official-v2-agent.ts",
    "src/interop/seed-agent.ts",
    "src/interop/seed-client.ts",
    "src/process/stubborn-agent-main.ts",
    "src/process/waiting-client.ts",
    "src/remote/platform-client.ts",
    "src/tui/chatty-agent-main.ts",
    "src/tui/scripted-agent-main.ts",
  ],
};

/** Packages that are built into a program; all others stay imports. */
const inside = /^(@turnkit\/|zod\/v4\/core$)/;

const externals: Plugin = {
  name: "externals",
  setup: ({ onResolve }) =>
    onResolve({ filter: /^[^./]/ }, ({ path }) => (inside.test(path) ? undefined : { path, external: true })),
};

/** Builds the programs before the first test, and again before a rerun of a watching runner. */
export async function setup(project: TestProject): Promise<void> {
  project.onTestsRerun(announcePrograms);
  await announcePrograms();
}

/** Tests look the built file of a program up in `TURNKIT_TEST_PROGRAMS`, by the path of its source. */
async function announcePrograms(): Promise<void> {
  const built: Record<string, string> = {};
  const building = Object.entries(programs).map(async ([folder, sources]) => {
    const paths = sources.map((source) => join(root, folder, source));
    Object.assign(built, await buildPrograms(paths, join(root, folder, ".programs")));
  });
  await Promise.all(building);
  process.env.TURNKIT_TEST_PROGRAMS = JSON.stringify(built);
}

/**
 * Builds programs into one folder beside `src`, as deep as the sources of a program are. Returns the built file of each
 * source. A file that is there already stays, since another run of the tests may be starting it.
 */
export async function buildPrograms(sources: readonly string[], folder: string): Promise<Record<string, string>> {
  const { outputFiles } = await build({
    entryPoints: [...sources],
    entryNames: "[name]",
    outdir: folder,
    bundle: true,
    splitting: true,
    platform: "node",
    format: "esm",
    target: "node20",
    conditions: ["@turnkit/source", "module"],
    plugins: [externals],
    write: false,
  });
  for (const { path, text } of outputFiles) {
    if (existsSync(path) && readFileSync(path, "utf8") === text) continue;
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(`${path}.${process.pid}`, text);
    renameSync(`${path}.${process.pid}`, path);
  }
  const builtOf = (source: string) => join(folder, basename(source).replace(/\.ts$/, ".js"));
  return Object.fromEntries(sources.map((source) => [source, builtOf(source)]));
}
