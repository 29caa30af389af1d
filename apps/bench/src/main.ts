import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { barRows, barTable } from "./bars.js";
import { interleave, interleaveWith, isUnknownCell } from "./interleave.js";
import { machine } from "./machine.js";
import { scenarios } from "./scenarios.js";
import { beforeRows, toMarkdown } from "./table.js";

const { values } = parseArgs({
  options: {
    quick: { type: "boolean", default: false },
    only: { type: "string" },
    rounds: { type: "string" },
    write: { type: "boolean", default: false },
    before: { type: "string" },
  },
});

const chosen = scenarios.filter(({ name }) => values.only === undefined || name.includes(values.only));
if (chosen.length === 0) {
  throw new Error(`No scenario "${values.only}"; there are: ${scenarios.map(({ name }) => name).join(", ")}`);
}

// `--before FOLDER` also measures the cells of turnkit in another checkout, with the code before a change.
if (values.before !== undefined) {
  process.stdout.write(
    "| scenario | cell | figure | before | after | after / before |\n| --- | --- | --- | ---: | ---: | ---: |\n",
  );
  for (const scenario of chosen) {
    const [size = 1] = (values.quick ? scenario.quickSizes : undefined) ?? scenario.sizes;
    try {
      const pairs = interleaveWith(values.before, scenario, size, Number(values.rounds ?? 5));
      for (const pair of pairs) for (const row of beforeRows(scenario, pair)) process.stdout.write(`${row}\n`);
    } catch (error) {
      if (!isUnknownCell(error)) throw error;
      process.stdout.write(`| ${scenario.name} | not in the other checkout | | | | |\n`);
    }
  }
  process.exit(0);
}

const parts = [
  `# Benchmarks\n\nMedians of fresh processes that take turns. ${machine()}.\nMade by \`npx -y pnpm@10 bench${values.quick ? " --quick" : ""}\`. [Limits](LIMITS.md) explains the bars that are not met.\n`,
];
process.stdout.write(`${parts[0]}\n`);
const bars: string[] = [];
const started = performance.now();
for (const scenario of chosen) {
  const sizes = values.quick ? (scenario.quickSizes ?? scenario.sizes) : scenario.sizes;
  const rounds = Number(values.rounds ?? (values.quick ? 1 : (scenario.rounds ?? 5)));
  const cells = interleave(scenario, sizes, rounds);
  const part = toMarkdown(scenario, cells);
  parts.push(part);
  bars.push(...barRows(scenario, cells));
  process.stdout.write(`${part}\n`);
}
if (bars.length > 0) {
  const table = barTable(bars);
  parts.splice(1, 0, table);
  process.stdout.write(`${table}\n`);
}
process.stderr.write(`${Math.round((performance.now() - started) / 1000)} s\n`);
if (values.write) writeFileSync(fileURLToPath(new URL("../RESULTS.md", import.meta.url)), parts.join("\n"));
