import { describe, expect, it } from "vitest";
import { type Contract, parse } from "../src/index.js";
import * as v1 from "../src/v1/index.js";
import * as v2 from "../src/v2/index.js";
import type { Outcome } from "./malformed.js";
import { malformedV1 } from "./malformed-v1.js";
import { malformedV2 } from "./malformed-v2.js";

describe.each([
  ["version 1", v1.contract as Contract, malformedV1],
  ["version 2", v2.contract as Contract, malformedV2],
])("what comes in malformed, %s", (_, contract, rows) => {
  it.each(rows)("%s: %s", (name, _what, message, outcome) => {
    const row = contract[name.replace("← ", "")];
    const schema = name.startsWith("← ") ? row?.result : row?.params;
    if (schema === undefined) throw new Error(`There is no ${name}.`);
    const read = parse(schema, message);
    const places = (notes: readonly { path: readonly (string | number)[] }[] = []) =>
      notes.map(({ path }) => path.join("."));
    if (read.issues) {
      expect({ refused: places(read.issues) }).toEqual(outcome);
      return;
    }
    expect(outcome).not.toHaveProperty("refused");
    const { salvaged = [], kept = [], as } = outcome as Exclude<Outcome, { refused: unknown }>;
    expect({ salvaged: places(read.salvaged), kept: places(read.unrecognized) }).toEqual({ salvaged, kept });
    if (as === undefined) expect(read.value).toBe(message);
    else expect(read.value).toEqual(as);
  });
});

it("there are enough of them, each with a name of its own", () => {
  for (const rows of [malformedV1, malformedV2]) {
    expect(rows.length).toBeGreaterThan(45);
    expect(new Set(rows.map(([name, what]) => `${name}: ${what}`)).size).toBe(rows.length);
  }
});
