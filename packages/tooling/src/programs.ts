import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { build, type Plugin } from "esbuild";
import type { TestProject } from "vitest/node";
import { root } from "./workspace.js";

/**
 * Programs that tests start as processes, by workspace. They are built first, because loading TypeScript would take most of
 * each start.
 */
export const programs: Readonly<Record<string, readonly string[]>> = {
  "packages/agent": ["test/fixtures/main.ts", "test/fixtures/kept-main.ts", "test/fixtures/log-writer.ts"],
  "packages/conformance": ["src/node/main.ts", "test/fixtures/model-main.ts", "test/fixtures/model-client-main.ts"],
  "packages/transport": ["test/fixtures/client.ts"],
  "apps/cli-agent": ["src/main.ts", "src/turnkit.ts"],
  "apps/node-client": ["src/main.ts", "src/demo.ts", "test/scripted-agent.ts"],
  "apps/e2e": [
    "src/cuts/restart/restarted-server-main.ts",
    "src/hostile/dictated-agent-main.ts",
    "src/interop/official-agent.ts",
    "src/interop/official-v2-agent.ts",
    "src/interop/seed-agent.ts",
    "src/interop/seed-client.ts",
    "src/gateway-kill/agent-main.ts",
    "src/several-gateways/agent-main.ts",
    "src/keyed-kill/killed-agent-main.ts",
    "src/nats-kill/gateway-main.ts",
    "src/process/stubborn-agent-main.ts",
    "src/process/waiting-client.ts",
    "src/remote/platform-client.ts",
    "src/tui/chatty-agent-main.ts",
    "src/tui/daily-agent-main.ts",
    "src/tui/scripted-agent-main.ts",
  ],
};

/** Imports that are not bundled. All other code is bundled into the program, so that it starts faster. */
const outside = /^(node:.*|oxlint)$/;

const externals: Plugin = {
  name: "externals",
  setup: ({ onResolve }) =>
    onResolve({ filter: /^[^./]/ }, ({ path, kind }) =>
      kind === "entry-point" || !outside.test(path) ? undefined : { path, external: true },
    ),
};

/** Plugin that leaves out zod's messages in other languages. No program uses them, and they are a fifth of the code that a start reads. */
const otherLanguages: Plugin = {
  name: "other-languages",
  setup: ({ onLoad }) =>
    onLoad({ filter: /[\\/]zod[\\/]v4[\\/]locales[\\/]index\.js$/ }, () => ({
      contents: `export { default as en } from "./en.js";`,
    })),
};

/**
 * Adds a function `require` to files that contain CommonJS packages, because these require modules of Node. Other files do
 * without: a start reads fifty files, and each call of `createRequire` takes time.
 */
function withRequire(code: string): string {
  if (!code.includes('typeof require !== "undefined"')) return code;
  return code.replace(/^(?:#!.*\n)?/, (first) => `${first}${REQUIRE_LINE}\n`);
}

const REQUIRE_LINE =
  'import { createRequire as makeRequire } from "node:module"; const require = makeRequire(import.meta.url);';

/** Builds of this run by workspace; on the global object, since each project of the runner loads this file anew. */
const { turnkitPrograms: started } = Object.assign(globalThis, {
  turnkitPrograms: (globalThis as { turnkitPrograms?: Map<string, Promise<void>> }).turnkitPrograms ?? new Map(),
});

/** Builds the programs that a project's tests start, once in a run, and again before a rerun of a watching runner. */
export async function setup(project: TestProject): Promise<void> {
  const folders = Object.keys(programs).filter((folder) =>
    project.name === "e2e" ? folder.startsWith("apps/") : folder.endsWith(`/${project.name}`),
  );
  const start = (folder: string): Promise<void> => {
    const building = announcePrograms(folder);
    started.set(folder, building);
    return building;
  };
  project.onTestsRerun(async () => void (await Promise.all(folders.map(start))));
  await Promise.all(folders.map((folder) => started.get(folder) ?? start(folder)));
}

/** Returns the name of a built program. Programs of several folders may have one file name, so the name has the folders too. */
export const builtName = (source: string): string => source.replace(/\.ts$/, "").replaceAll("/", "-");

/** Tests look the built file of a program up in `TURNKIT_TEST_PROGRAMS`, by the path of its source. */
async function announcePrograms(folder: string): Promise<void> {
  const target = join(root, folder, ".programs");
  const named = (programs[folder] ?? []).map((source) => [builtName(source), join(root, folder, source)] as const);
  await buildPrograms(Object.fromEntries(named), target);
  const built = Object.fromEntries(named.map(([name, source]) => [source, join(target, `${name}.js`)]));
  const others = JSON.parse(process.env.TURNKIT_TEST_PROGRAMS ?? "{}");
  process.env.TURNKIT_TEST_PROGRAMS = JSON.stringify({ ...others, ...built });
}

/**
 * Builds programs, given by name and source, into a folder. A file with the same content stays untouched, since another
 * run of the tests may be starting it.
 */
export async function buildPrograms(sources: Readonly<Record<string, string>>, folder: string): Promise<void> {
  const { outputFiles } = await build({
    entryPoints: sources,
    outdir: folder,
    bundle: true,
    splitting: true,
    platform: "node",
    format: "esm",
    target: "node20",
    conditions: ["@turnkit/source", "module"],
    plugins: [externals, otherLanguages],
    write: false,
  });
  for (const { path, text: code } of outputFiles) {
    const text = withRequire(code);
    if (existsSync(path) && readFileSync(path, "utf8") === text) continue;
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(`${path}.${process.pid}`, text);
    renameSync(`${path}.${process.pid}`, path);
  }
}
