import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { type Contract, parse, type Schema } from "../src/index.js";
import * as v1 from "../src/v1/index.js";
import * as v2 from "../src/v2/index.js";

type Line = { id?: unknown; method?: string; params?: unknown; result?: unknown; error?: unknown };
type Example = { title: string; schema: Schema | undefined; value: unknown };

/** The catalogue's examples: messages, each request followed by sample answers; in version 2 also single updates and diffs. */
function examples(version: "v1" | "v2", contract: Contract, asked: Map<unknown, string>): Example[] {
  const file = new URL(`${version}-wire-examples.jsonl`, import.meta.url);
  const lines = readFileSync(file, "utf8").trim().split("\n");
  return lines.map((text) => {
    const line: Line = JSON.parse(text);
    if (line.method !== undefined) {
      if (line.id !== undefined) asked.set(line.id, line.method);
      return { title: line.method, schema: contract[line.method]?.params, value: line.params };
    }
    if (line.error !== undefined) return { title: "error", schema: { v1, v2 }[version].errorObject, value: line.error };
    if ("sessionUpdate" in line) return { title: String(line.sessionUpdate), schema: v2.sessionUpdate, value: line };
    if ("type" in line) return { title: String(line.type), schema: v2.toolCallContent, value: line };
    const method = asked.get(line.id) ?? "";
    return { title: `result of ${method}`, schema: contract[method]?.result, value: line.result };
  });
}

const first = examples("v1", v1.contract, new Map([[30, "session/new"]]));
const second = examples("v2", v2.contract, new Map());

// Samples of the older drafts that call themselves version 2: whoever speaks with such peers reads them in another way.
const isOlder = ({ value }: Example) =>
  /"stopReason":"_budget_spent"|"id":"p-1"|"toolCall":|^\{\}$/.test(JSON.stringify(value));
const olderTitles = [
  "result of session/prompt",
  "session/update",
  "result of session/prompt",
  "session/request_permission",
];
const older = second.filter((example) => isOlder(example) && example.title !== "result of session/resume");

describe.each([
  ["version 1", first, 65, ["_example.test/ping"]],
  ["version 2", second.filter((example) => !older.includes(example)), 40, []],
])("the wire examples of %s", (_, cases, count, custom) => {
  it("are all there", () => {
    expect(cases).toHaveLength(count);
    expect(cases.filter(({ schema }) => schema === undefined).map(({ title }) => title)).toEqual(custom);
  });

  it.each(cases.filter(({ schema }) => schema !== undefined))(
    "$title is valid and comes out as it went in",
    ({ schema, value }) => {
      const read = parse(schema ?? v2.errorObject, value);
      expect(read).toEqual({ value });
      expect("value" in read && read.value).toBe(value);
    },
  );
});

it("the wire examples of older drafts are no version 2 of today", () => {
  expect(older.map(({ title }) => title)).toEqual(olderTitles);
  for (const { schema, value } of older) expect(schema && parse(schema, value).issues).toHaveLength(1);
});
