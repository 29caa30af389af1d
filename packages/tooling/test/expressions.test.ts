import { expect, test } from "vitest";
import { readTable } from "../src/requirements.js";
import { hostileTexts, searchTime, unboundedExpressions } from "../src/rule/expressions.js";
import { isTest } from "../src/source.js";
import { readWorkspaces } from "../src/workspace.js";

const products = new Set(["schema", "session", "transport", "agent", "client", "cli-agent", "node-client"]);
const expressions = readWorkspaces()
  .filter(({ name }) => products.has(name))
  .flatMap(({ files }) => files.filter(({ path }) => path.includes("/src/") && !isTest(path)))
  .flatMap(unboundedExpressions);

/** Expressions whose text is short or the program's own: file, expression, origin and bound of the text. */
const listed = new Set(readTable("expressions.tsv").map(([file, source]) => `${file} /${source}/`));

/** A search of 4 Ki characters with quadratic costs takes 6 ms, and a linear one less than 0.2 ms. */
const LENGTH = 4 * 1024;
const MAX_TIME = 2;

const isSlow = (expression: (typeof expressions)[number]) =>
  hostileTexts(expression, LENGTH).some((text) => [1, 2, 3, 4, 5].every(() => searchTime(expression, text) > MAX_TIME));

test("defect S7: every expression that repeats without a bound is linear, or has a row with the bound of its text", () => {
  expect(expressions.length).toBeGreaterThan(80);
  const slow = expressions.filter(isSlow).map(({ file, source }) => `${file} /${source}/`);
  expect(slow.filter((row) => !listed.has(row))).toEqual([]);
  expect([...listed].filter((row) => !slow.includes(row))).toEqual([]);
}, 300_000);

test("the rule finds repetitions that are tried again from each place", () => {
  const slow = (source: string) => isSlow({ file: "a.ts", source, flags: "" });
  expect(["a+$", "\\s*\\n\\s*", "a*b", "x[^y]+y"].map(slow)).toEqual([true, true, true, true]);
  expect(["[^*?]*$", "\\u0090[^\\u001b]*(?:\\u001b\\\\|$)"].map(slow)).toEqual([true, true]);
  expect(["^a+", "a{1,40}b", "\\s+"].map(slow)).toEqual([false, false, false]);
});
