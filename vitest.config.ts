import { existsSync, readdirSync } from "node:fs";
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

const conditions = ["@turnkit/source", "module", "node", "development|production"];
const include = ["{src,test}/**/*.test.ts"];
const tooling = (name: string) => fileURLToPath(new URL(`packages/tooling/src/${name}`, import.meta.url));

// Workspaces whose tests start programs as processes.
const starting = new Set(["agent", "conformance", "transport", "cli-agent", "node-client", "e2e"]);
const typeCheck = "test/type-check.test.ts";

const workspaces = ["packages", "apps"]
  .flatMap((group) => readdirSync(group).map((name) => ({ name, root: `${group}/${name}` })))
  .concat({ name: "examples", root: "examples" })
  .filter(({ root }) => existsSync(`${root}/package.json`));

export default defineConfig({
  ssr: { resolve: { conditions } },
  test: {
    // One more than cores, since many tests wait for programs.
    maxWorkers: availableParallelism() + 1,
    // Errors of handlers that tests throw on purpose.
    onConsoleLog: (log) => !log.startsWith("turnkit: "),
    reporters: ["default", "./packages/tooling/src/summary-reporter.ts"],
    projects: [
      // Types first and alone, so that they do not slow down tests that watch the clock.
      {
        extends: true,
        root: "packages/tooling",
        test: { name: "types", include: [typeCheck], testTimeout: 120_000, sequence: { groupOrder: 0 } },
      },
      ...workspaces.map(({ name, root }) => ({
        extends: true as const,
        root,
        test: {
          name,
          include: name === "examples" ? ["*/*.test.ts"] : include,
          exclude: [typeCheck],
          // Files share the modules of their worker, so that each need not start a process and import everything anew.
          isolate: false,
          globalSetup: [tooling("test-home.ts"), ...(starting.has(name) ? [tooling("programs.ts")] : [])],
          // Only a hang takes this long: on a busy machine, a second of work may take twenty. The rules read the whole tree.
          testTimeout: name === "tooling" ? 120_000 : 30_000,
          hookTimeout: 30_000,
          sequence: { groupOrder: 1 },
        },
      })),
    ],
  },
});
