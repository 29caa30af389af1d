import { describe, expect, it } from "vitest";
import type { Contract } from "../src/index.js";
import * as v1 from "../src/v1/index.js";
import * as v2 from "../src/v2/index.js";
import { malformedV1 } from "./malformed-v1.js";
import { malformedV2 } from "./malformed-v2.js";
import { expectOutcome } from "./outcome.js";

describe.each([
  ["version 1", v1.contract as Contract, malformedV1],
  ["version 2", v2.contract as Contract, malformedV2],
])("what comes in malformed, %s", (_, contract, rows) => {
  it.each(rows)("%s: %s", (name, _what, message, outcome) => {
    const row = contract[name.replace("← ", "")];
    const schema = name.startsWith("← ") ? row?.result : row?.params;
    if (schema === undefined) throw new Error(`There is no ${name}.`);
    expectOutcome(schema, message, outcome);
  });
});

it("there are enough of them, each with a name of its own", () => {
  for (const rows of [malformedV1, malformedV2]) {
    expect(rows.length).toBeGreaterThan(45);
    expect(new Set(rows.map(([name, what]) => `${name}: ${what}`)).size).toBe(rows.length);
  }
});
