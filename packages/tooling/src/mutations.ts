import { readFileSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { citationsIn } from "./cited-requirements.js";
import { type Mutation, mutate } from "./mutation/mutation.js";
import { mutations } from "./mutation/table.js";
import { type Outcome, type Selection, Trial } from "./mutation/trial.js";
import { readWorkspaces, root } from "./workspace.js";

// Breaks a copy of the code in one place at a time. Each break violates a requirement. A test that cites this requirement
// has to fail. `--only ID` runs single rows, `--seed N` shuffles, `--count N` ends earlier.

const { values } = parseArgs({
  options: {
    only: { type: "string", multiple: true },
    seed: { type: "string" },
    count: { type: "string" },
  },
});

const started = performance.now();
const seconds = (): string => ((performance.now() - started) / 1000).toFixed(0);
const print = (line: string): void => void process.stdout.write(`${line}\n`);

/** The same order for the same seed. */
function shuffled<T>(items: readonly T[], seed: number): readonly T[] {
  let state = seed;
  const next = (): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state;
  };
  return items
    .map((item) => ({ item, place: next() }))
    .sort((left, right) => left.place - right.place)
    .map(({ item }) => item);
}

function chosen(): readonly Mutation[] {
  const { only, seed, count = mutations.length } = values;
  const unknown = only?.filter((id) => !mutations.some((mutation) => mutation.id === id)) ?? [];
  if (unknown.length > 0)
    throw new Error(`No mutation of ${unknown.join(", ")}: look at packages/tooling/src/mutation.`);
  const rows = only === undefined ? mutations : mutations.filter(({ id }) => only.includes(id));
  return (seed === undefined ? rows : shuffled(rows, Number(seed))).slice(0, Number(count));
}

/** The test files that cite each requirement, and the words by which they do. */
function readCitations(): ReadonlyMap<string, Selection> {
  const found = new Map<string, Selection>();
  for (const file of readWorkspaces().flatMap(({ files }) => files)) {
    if (!file.path.endsWith(".test.ts")) continue;
    for (const [id, words] of citationsIn(file)) {
      const { files = [], words: others = [] } = found.get(id) ?? {};
      found.set(id, { files: [...files, file.path], words: [...new Set([...others, ...words])] });
    }
  }
  return found;
}

const citations = readCitations();

function testsOf(id: string): Selection {
  const selection = citations.get(id);
  if (selection === undefined) throw new Error(`${id} is cited by no test.`);
  return selection;
}

/** Longest run of the tests of all mutations together. */
const UNBROKEN_MS = 15 * 60_000;

/** Runs the tests of all rows on the unbroken code. A test that fails there would prove nothing. */
function checkUnbroken(trial: Trial, rows: readonly Mutation[]): void {
  const selections = rows.map(({ id }) => testsOf(id));
  const all = {
    files: [...new Set(selections.flatMap(({ files }) => files))],
    words: [...new Set(selections.flatMap(({ words }) => words))],
  };
  const { passed, failed, fault } = trial.run(all, UNBROKEN_MS);
  const silent = rows.filter(({ id }) => !passed.some((test) => names(test, id))).map(({ id }) => `${id} has no test`);
  const problems = [...(fault === undefined ? [] : [fault]), ...failed.map((test) => `fails: ${test}`), ...silent];
  if (problems.length > 0) throw new Error(`The tests do not pass as the code is.\n${problems.join("\n")}`);
  print(`${passed.length} tests pass as the code is (${seconds()} s).\n`);
}

const names = (test: string, id: string): boolean => testsOf(id).words.some((word) => test.includes(word));

function breakOnce(trial: Trial, mutation: Mutation): Outcome {
  const path = trial.path(mutation.file);
  const text = readFileSync(path, "utf8");
  const broken = mutate(mutation, text);
  if ("problem" in broken) throw new Error(broken.problem);
  writeFileSync(path, broken.text);
  try {
    return trial.run(testsOf(mutation.id));
  } finally {
    writeFileSync(path, text);
  }
}

function describe({ id }: Mutation, { failed, fault }: Outcome): { readonly killed: boolean; readonly by: string } {
  const [first, ...more] = failed.filter((test) => names(test, id));
  if (first !== undefined) return { killed: true, by: more.length > 0 ? `${first} (and ${more.length} more)` : first };
  return { killed: false, by: fault === undefined ? "SURVIVED" : `NOTHING RAN: ${fault.split("\n")[0]}` };
}

const rows = chosen();
const trial = new Trial(root);
const killed: Mutation[] = [];
try {
  checkUnbroken(trial, rows);
  print("| id | file | what | killed by |\n| --- | --- | --- | --- |");
  for (const row of rows) {
    const result = describe(row, breakOnce(trial, row));
    if (result.killed) killed.push(row);
    print(`| ${row.id} | ${row.file} | ${row.what} | ${result.by} |`);
  }
} finally {
  trial.dispose();
}

const packageOf = ({ file }: Mutation): string | undefined => file.split("/")[1];
const shares = [...new Set(rows.map(packageOf))].map((name) => {
  const count = (some: readonly Mutation[]): number => some.filter((row) => packageOf(row) === name).length;
  return `${name} ${count(killed)}/${count(rows)}`;
});
print(`\n${killed.length}/${rows.length} mutations killed (${shares.join(", ")}) in ${seconds()} s.`);
for (const row of rows) if (!killed.includes(row)) print(`not killed: ${row.id} ${row.what}`);
process.exitCode = killed.length === rows.length ? 0 : 1;
