import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { Schema } from "../src/index.js";
import * as v1 from "../src/v1/index.js";
import { constantName, envelopes, official } from "./official-schema.js";
import { type Departures, officialShape, ownShape } from "./shape.js";

// What the official stable schema has and we do not have yet. Keep it empty.
const missing: readonly string[] = [];

// What we have and the official stable schema has not, with the reason.
const ownDefinitions: Readonly<Record<string, string>> = {
  promptContentBlock: "ContentBlock as the client may send it: without unknown types (V1-CONT-09)",
  modelId: "seed-only: models were removed from the protocol in June 2026 (V1-MODEL-03)",
  modelInfo: "seed-only",
  sessionModelState: "seed-only",
  setSessionModelRequest: "seed-only",
  setSessionModelResponse: "seed-only",
};
const ownMethods: Readonly<Record<string, string>> = { "session/set_model": "seed-only (V1-MODEL-02)" };

const departures: Departures = {
  opened: new Set<Schema>([
    v1.sessionUpdate, // deviation from V1-LEN-10
    v1.contentBlock, // deviation from V1-CONT-09
    v1.toolCallContent, // deviation from V1-LEN-10
    v1.toolKind, // deviation from V1-LEN-06
    v1.toolCallStatus, // deviation from V1-LEN-06
    v1.stringFormat, // demanded by V1-ELIC-09
  ]),
  extra: new Set(["models"]), // seed-only (V1-MODEL-01)
};

const own = new Map<string, Schema>();
for (const [name, value] of Object.entries(v1)) if ("_zod" in value) own.set(name, value);
const definitions = Object.keys(official).filter((name) => !envelopes.has(name) && !missing.includes(name));

describe("parity with the official stable schema of version 1", () => {
  it("has every definition and invents none", () => {
    const expected = [...definitions.map(constantName), ...Object.keys(ownDefinitions)];
    expect([...own.keys()].toSorted()).toEqual(expected.toSorted());
  });

  it.each(definitions)("%s: the same members, requiredness, values, bounds and leniency marks", (name) => {
    const schema = own.get(constantName(name));
    expect(schema && ownShape(schema, departures)).toEqual(officialShape(official[name] ?? {}));
  });

  it("exports a type for every definition", () => {
    const folder = new URL("../src/v1/", import.meta.url);
    const source = readdirSync(folder)
      .filter((file) => !file.endsWith(".test.ts"))
      .map((file) => readFileSync(new URL(file, folder), "utf8"))
      .join("\n");
    const types = new Set(Array.from(source.matchAll(/^export (?:interface|type) (\w+)/gm), (match) => match[1]));
    const expected = definitions.map((name) => (name === "Error" ? "ErrorObject" : name));
    expect(expected.filter((name) => !types.has(name))).toEqual([]);
  });

  it("has every method with its direction, params and result, and invents none", () => {
    const sides = { agent: "client", client: "agent", protocol: "both" } as const;
    const expected: Record<string, { from?: string; params?: Schema; result?: Schema }> = {};
    for (const name of definitions) {
      const node = official[name];
      if (node?.["x-method"] === undefined || node["x-side"] === undefined) continue;
      expected[node["x-method"]] ??= { from: sides[node["x-side"]] };
      const row = expected[node["x-method"]] ?? {};
      const schema = own.get(constantName(name));
      if (schema !== undefined) row[name.endsWith("Response") ? "result" : "params"] = schema;
    }
    const inner = (schema: Schema | undefined) =>
      schema?._zod.def.kind === "nullAsEmpty" ? schema._zod.def.parts?.inner : schema;
    for (const [method, row] of Object.entries<{ from: string; params: Schema; result?: Schema }>(v1.contract)) {
      if (method in ownMethods) continue;
      expect(expected[method]?.from, method).toBe(row.from);
      expect(expected[method]?.params, method).toBe(row.params);
      expect(inner(row.result), method).toBe(expected[method]?.result);
    }
    expect(Object.keys(v1.contract).toSorted()).toEqual(
      [...Object.keys(expected), ...Object.keys(ownMethods)].toSorted(),
    );
  });

  it("has every error code", () => {
    const codes = official.ErrorCode?.anyOf?.flatMap((node) => (node.const === undefined ? [] : [node.const]));
    expect(Object.values(v1.errorCodes).toSorted()).toEqual(codes?.toSorted());
  });
});
