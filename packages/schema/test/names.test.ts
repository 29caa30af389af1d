import { describe, expect, it } from "vitest";
import type { Contract, Schema } from "../src/index.js";
import * as v1 from "../src/v1/index.js";
import * as unstableV1 from "../src/v1/unstable/index.js";
import * as v2 from "../src/v2/index.js";
import * as unstableV2 from "../src/v2/unstable/index.js";

type Names = { readonly keys: Set<string>; readonly tags: Set<string>; readonly values: Set<string> };

const isSchema = (value: unknown): value is Schema => typeof value === "object" && value !== null && "_zod" in value;

/** Every key, every value of a discriminator and every listed string below the schemas that a version exports. */
function namesIn(exported: object): Names {
  const names: Names = { keys: new Set(), tags: new Set(), values: new Set() };
  const seen = new Set<Schema>();
  const visit = (schema: Schema): void => {
    if (seen.has(schema)) return;
    seen.add(schema);
    const { kind, parts, known = [] } = schema.def;
    for (const [name, part] of Object.entries(parts?.() ?? {})) {
      if (kind === "object") names.keys.add(name);
      if (/variants/i.test(kind) && !name.startsWith("(")) names.tags.add(name);
      visit(part);
    }
    if (/enum|oneOf|literal/i.test(kind)) for (const value of known) names.values.add(String(value));
  };
  for (const value of Object.values(exported)) if (isSchema(value)) visit(value);
  return names;
}

const camelCase = /^[a-z][a-z0-9]*([A-Z][a-z0-9]*)*$/;
const snakeCase = /^[a-z]+(_[a-z]+)*$/;

describe.each<[string, object, Contract]>([
  ["V1-RPC-21: version 1", { ...v1, ...unstableV1 }, { ...v1.contract, ...unstableV1.unstableContract }],
  ["V2-ENV-11: version 2", { ...v2, ...unstableV2 }, { ...v2.contract, ...unstableV2.unstableContract }],
])("how things are called in %s", (_, exported, contract) => {
  const { keys, tags, values } = namesIn(exported);

  it("keys are camelCase, but for `_meta`", () => {
    expect(keys.size).toBeGreaterThan(120);
    expect([...keys].filter((key) => !camelCase.test(key))).toEqual(["_meta"]);
  });

  it("what tells variants apart is snake_case", () => {
    expect(tags.size).toBeGreaterThan(40);
    expect([...tags].filter((tag) => !snakeCase.test(tag))).toEqual([]);
  });

  it("so is every listed value, but for a format of JSON Schema", () => {
    expect(values.size).toBeGreaterThan(50);
    expect([...values].filter((value) => !snakeCase.test(value))).toEqual(["date-time"]);
  });

  it("so are methods, in their areas", () => {
    const odd = Object.keys(contract).filter((method) => !method.split("/").every((part) => snakeCase.test(part)));
    expect(odd).toEqual(["$/cancel_request"]);
  });
});
