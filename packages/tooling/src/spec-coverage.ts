import { parseArgs } from "node:util";
import { citedIn } from "./cited-requirements.js";
import { type Requirement, readExempt, readOpen, readRequirements } from "./requirements.js";
import { readWorkspaces } from "./workspace.js";

// Prints how many requirements of the protocol's catalogues are cited by the title of a test, by area and level; the
// exit code says whether the bar holds. `--missing` lists what is not cited.

/**
 * Share of the requirements of each level that tests must cite, in per cent. Other levels have no minimum. In groups of
 * `spec/open-requirements.tsv`, the number of open requirements may only fall.
 */
const BAR: Readonly<Record<string, number>> = { MUST: 100, FACT: 100, OURS: 100, SHOULD: 95 };

const LEVELS = ["MUST", "SHOULD", "MAY", "FACT", "REF", "OURS"];

const requirements = readRequirements();
const exempt = readExempt();

const cited = new Set<string>();
for (const file of readWorkspaces().flatMap(({ files }) => files)) {
  if (file.path.endsWith(".test.ts")) for (const id of citedIn(file)) cited.add(id);
}

const isMet = ({ id }: Requirement): boolean => cited.has(id) || exempt.has(id);

function share(some: readonly Requirement[]): string {
  return some.length === 0 ? "–" : `${some.filter(isMet).length}/${some.length}`;
}

const area = (id: string): string => id.slice(0, id.lastIndexOf("-"));
const rows = [...new Set(requirements.map(({ id }) => area(id)))].map((name) => {
  const some = requirements.filter(({ id }) => area(id) === name);
  return [name, ...LEVELS.map((level) => share(some.filter((one) => one.level === level)))];
});
for (const row of [["area", ...LEVELS], ...rows]) process.stdout.write(`| ${row.join(" | ")} |\n`);

const { values } = parseArgs({ options: { missing: { type: "boolean" } } });
if (values.missing) {
  for (const one of requirements) if (!isMet(one)) process.stdout.write(`missing: ${one.id} ${one.level}\n`);
}
const known = new Set(requirements.map(({ id }) => id));
for (const id of [...cited, ...exempt.keys()]) if (!known.has(id)) process.stdout.write(`unknown: ${id}\n`);

const open = readOpen();
const overrun = [...open].filter(([group, most]) => {
  const missing = requirements.filter((one) => area(one.id) === group && one.level in BAR && !isMet(one)).length;
  process.stdout.write(`open: ${group} ${missing}, ${most} at most\n`);
  return missing > most;
});

const totals = LEVELS.map((level) => {
  const some = requirements.filter((one) => one.level === level && !open.has(area(one.id)));
  const percent = Math.floor((some.filter(isMet).length / some.length) * 100);
  return { level, text: `${level} ${share(some)} (${percent} %)`, holds: percent >= (BAR[level] ?? 0) };
});
process.stdout.write(`\n${exempt.size} not testable here. ${totals.map(({ text }) => text).join(", ")}\n`);
process.exitCode = totals.every(({ holds }) => holds) && overrun.length === 0 ? 0 : 1;
