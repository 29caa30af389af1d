import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { readTable } from "../src/requirements.js";
import {
  builtExpressions,
  type Expression,
  hostileTexts,
  recordedExpressions,
  searchTime,
  unboundedExpressions,
} from "../src/rule/expressions.js";
import { isTest } from "../src/source.js";
import { readWorkspaces, root } from "../src/workspace.js";

const products = new Set(["schema", "session", "transport", "agent", "client", "cli-agent", "node-client"]);
const files = readWorkspaces()
  .filter(({ name }) => products.has(name))
  .flatMap((workspace) => workspace.files.filter(({ path }) => path.includes("/src/") && !isTest(path)));
const expressions = files.flatMap(unboundedExpressions);
const built = files.flatMap(builtExpressions);

/** Expressions whose text is short or the program's own: file, expression, origin and bound of the text. */
const listed = new Set(readTable("expressions.tsv").map(([file, source]) => `${file} /${source}/`));

/** A search of 4 Ki characters with quadratic costs takes 6 ms, and a linear one less than 0.2 ms. */
const LENGTH = 4 * 1024;
const MAX_TIME = 2;

const isSlow = (expression: Expression) =>
  hostileTexts(expression, LENGTH).some((text) => [1, 2, 3, 4, 5].every(() => searchTime(expression, text) > MAX_TIME));

/** Returns the expressions that the files build while they are loaded. Each file is loaded once more for this. */
async function expressionsOfModules(): Promise<readonly Expression[]> {
  const all: Expression[] = [];
  const ofModules = built.filter(({ isInFunction }) => !isInFunction);
  for (const file of new Set(ofModules.map((one) => one.file))) {
    const url = pathToFileURL(join(root, file)).href;
    // The modules that it imports are loaded by then, and their expressions do not count as those of the file.
    await import(url);
    const { count, unbounded } = await recordedExpressions(file, () => import(`${url}?recorded`));
    expect({ file, count }).toEqual({ file, count: ofModules.filter((one) => one.file === file).length });
    all.push(...unbounded);
  }
  return all;
}

test("defect S7: every expression that repeats without a bound is linear, or has a row with the bound of its text", async () => {
  expect(expressions.length).toBeGreaterThan(80);
  const all = [...expressions, ...(await expressionsOfModules())];
  const slow = all.filter(isSlow).map(({ file, source }) => `${file} /${source}/`);
  expect(slow.filter((row) => !listed.has(row))).toEqual([]);
  expect([...listed].filter((row) => !slow.includes(row))).toEqual([]);
}, 300_000);

test("defect S7: every expression that a function builds from a text has a row with the bound of both texts", () => {
  const rows = readTable("built-expressions.tsv");
  const inFunctions = built.filter(({ isInFunction }) => isInFunction).map((one) => `${one.file}\t${one.built}`);
  expect(inFunctions.toSorted()).toEqual(rows.map(([file, source]) => `${file}\t${source}`).toSorted());
  for (const row of rows) expect(row.filter((cell) => cell.trim() !== "")).toHaveLength(4);
});

test("no expression of the data file about models repeats a part, as its row says", () => {
  const { facts } = JSON.parse(readFileSync(join(root, "apps/cli-agent/src/models/models.json"), "utf8"));
  const texts = (facts as readonly { readonly models: string }[]).map(({ models }) => `/${models}/`);
  expect(texts.length).toBeGreaterThan(5);
  expect(texts.flatMap((text) => unboundedExpressions({ path: "a.ts", text }))).toEqual([]);
});

test("the rule finds repetitions that are tried again from each place", () => {
  const slow = (source: string) => isSlow({ file: "a.ts", source, flags: "" });
  expect(["a+$", "\\s*\\n\\s*", "a*b", "x[^y]+y"].map(slow)).toEqual([true, true, true, true]);
  expect(["[^*?]*$", "\\u0090[^\\u001b]*(?:\\u001b\\\\|$)"].map(slow)).toEqual([true, true]);
  expect(["^a+", "a{1,40}b", "\\s+"].map(slow)).toEqual([false, false, false]);
});

test("the rule finds expressions that are built by RegExp, at the top of a module and in functions", async () => {
  const text = `const a = new RegExp("a+$", "u");\nconst b = (one) => RegExp(one);\nexport class C { d() { return new RegExp(this.e); } }`;
  expect(builtExpressions({ path: "a.ts", text }).map(({ built, isInFunction }) => [built, isInFunction])).toEqual([
    ['"a+$", "u"', false],
    ["one", true],
    ["this.e", true],
  ]);
  const sources = ["a+$", "a{1,2}"] as const;
  const made = await recordedExpressions("a.ts", async () => [new RegExp(sources[0], "u"), RegExp(sources[1])]);
  expect(made).toEqual({ count: 2, unbounded: [{ file: "a.ts", source: "a+$", flags: "u" }] });
});
