// Program of one cell: `cell.js SCENARIO IMPLEMENTATION SIZE` measures once and prints the figures as JSON.
import { scenarios } from "./scenarios.js";

const [name, implementation = "", size] = process.argv.slice(2);
const load = scenarios.find((scenario) => scenario.name === name)?.implementations[implementation];
if (load === undefined) throw new Error(`No scenario "${name}" for "${implementation}"`);
const measure = await load();
const found = await measure(Number(size));
process.stdout.write(`\n${JSON.stringify(found)}\n`, () => process.exit(0));
