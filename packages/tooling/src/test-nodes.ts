import { spawnSync } from "node:child_process";
import { root } from "./workspace.js";

// The whole suite on other lines of Node, each from the `node` package of the registry, so that nothing has to be installed.
const lines = process.argv.length > 2 ? process.argv.slice(2) : ["22", "24"];

const outcomes = lines.map((line) => {
  process.stdout.write(`\n── Node ${line}\n`);
  const command = `npx -y -p node@${line} node node_modules/vitest/vitest.mjs run`;
  const { status } = spawnSync(command, { cwd: root, shell: true, stdio: "inherit" });
  return { line, passed: status === 0 };
});
for (const { line, passed } of outcomes) process.stdout.write(`Node ${line}: ${passed ? "passed" : "failed"}\n`);
process.exitCode = outcomes.every(({ passed }) => passed) ? 0 : 1;
