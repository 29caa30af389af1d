import { spawnSync } from "node:child_process";
import { root } from "./workspace.js";

// Runs the gate, step by step. If the inputs of a step did not change, turbo prints the stored output of the step.
const steps: Readonly<Record<string, string>> = {
  lint: "turbo run //#lint",
  types: "turbo run typecheck //#snippets",
  tests: "turbo run //#unit",
  build: "turbo run build",
  package: "turbo run package", // pnpm pack, publint and are-the-types-wrong on the tarball
  sizes: "turbo run //#sizes", // what a bundler makes of each entry
  knip: "turbo run //#knip",
  packed: "turbo run //#packed",
};

const asked = process.argv.slice(2);
const unknown = asked.filter((name) => !(name in steps));
if (unknown.length > 0) throw new Error(`No step ${unknown.join(", ")}; there are: ${Object.keys(steps).join(", ")}`);

const names = asked.length > 0 ? asked : Object.keys(steps);
for (const name of names) {
  const started = performance.now();
  process.stdout.write(`\n── ${name}\n`);
  const { status } = spawnSync(`${steps[name]} --output-logs=errors-only --log-prefix=none`, {
    cwd: root,
    shell: true,
    stdio: "inherit",
    env: { ...process.env, TURBO_TELEMETRY_DISABLED: "1" },
  });
  if (status !== 0) {
    process.stdout.write(`\ncheck failed at: ${name}\n`);
    process.exit(status ?? 1);
  }
  process.stdout.write(`── ${name} passed in ${((performance.now() - started) / 1000).toFixed(1)} s\n`);
}
process.stdout.write(`\ncheck passed: ${names.join(", ")}\n`);
