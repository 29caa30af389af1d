import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { type Contract, parse } from "../src/index.js";
import { contract, errorObject } from "../src/v1/index.js";

type Line = { id?: unknown; method?: string; params?: unknown; result?: unknown; error?: unknown };

// The catalogue's examples (v1.md section 4): requests, each followed by sample responses.
const lines = readFileSync(new URL("v1-wire-examples.jsonl", import.meta.url), "utf8")
  .trim()
  .split("\n");
const rows: Contract = contract;
const asked = new Map<unknown, string>([[30, "session/new"]]);

const cases = lines.map((text) => {
  const line: Line = JSON.parse(text);
  if (line.method !== undefined) {
    if (line.id !== undefined) asked.set(line.id, line.method);
    return {
      title: line.method,
      schema: rows[line.method]?.params,
      value: line.params,
      isCustom: line.method[0] === "_",
    };
  }
  if (line.error !== undefined) return { title: "error", schema: errorObject, value: line.error };
  const method = asked.get(line.id) ?? "";
  return { title: `result of ${method}`, schema: rows[method]?.result, value: line.result };
});

describe("the wire examples of version 1", () => {
  it("are all there", () => {
    expect(cases).toHaveLength(65);
    expect(cases.filter(({ schema }) => schema === undefined).map(({ title }) => title)).toEqual([
      "_example.test/ping",
    ]);
  });

  it.each(cases.filter(({ schema }) => schema !== undefined))(
    "$title is valid and comes out as it went in",
    (example) => {
      const read = parse(example.schema ?? errorObject, example.value);
      expect(read).toEqual({ value: example.value });
      expect("value" in read && read.value).toBe(example.value);
    },
  );
});
