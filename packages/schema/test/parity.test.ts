import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { ContractRow, Schema } from "../src/index.js";
import { constantName, typeName } from "./official-schema.js";
import { officialShape, ownShape } from "./shape.js";
import { type Target, targets } from "./targets.js";

type Row = { from?: string; params?: unknown; result?: unknown; notification?: { from: string; params: unknown } };

// The official schema names the side that receives. Proxy chains have sides of their own: the conductor stands where a
// client stands, and wrapped messages go both ways.
const senders = { agent: "client", client: "agent", protocol: "both" } as const;
const proxySenders: Readonly<Record<string, string>> = { "proxy/initialize": "client", "proxy/successor": "both" };

describe.each(targets)("parity of $name with its official schema", (target) => {
  const { official, own, contract, differences } = target;

  it("has every definition and invents none", () => {
    const expected = [...official.names.map(constantName), ...Object.keys(differences.definitions)];
    expect([...own.keys()].toSorted()).toEqual(expected.toSorted());
  });

  it.each(official.names)("%s: the same members, requiredness, values, bounds and leniency marks", (name) => {
    const schema = own.get(constantName(name));
    expect(schema && ownShape(target, schema)).toEqual(officialShape(target, name));
  });

  it("exports a type for every definition", () => {
    const source = target.folders.flatMap((name) => {
      const folder = new URL(`../src/${name}/`, import.meta.url);
      const files = readdirSync(folder).filter((file) => /(?<!\.test)\.ts$/.test(file));
      return files.map((file) => readFileSync(new URL(file, folder), "utf8"));
    });
    const found = source.join("\n").matchAll(/^export (?:interface|type) (\w+)/gm);
    const types = new Set(Array.from(found, (match) => match[1]));
    expect(official.names.map(typeName).filter((name) => !types.has(name))).toEqual([]);
  });

  it("has every method with its direction, params and result, and invents none", () => {
    const methods = Object.entries(contract).filter(([method]) => !(method in differences.methods));
    expect(Object.fromEntries(methods.map(([method, row]) => [method, plainRow(row)]))).toEqual(officialRows(target));
    expect(Object.keys(contract)).toEqual(expect.arrayContaining(Object.keys(differences.methods)));
  });

  it("has every error code", () => {
    const codes = official.definitions.ErrorCode?.anyOf?.flatMap((node) => node.const ?? []);
    expect(Object.values(target.errorCodes).toSorted()).toEqual(codes?.toSorted());
  });
});

function plainRow({ from, params, result, notification }: ContractRow): Row {
  const inner = (schema: Schema) =>
    schema._zod.def.kind === "nullAsEmpty" ? (schema._zod.def.parts?.().inner ?? schema) : schema;
  return { from, params, ...(result && { result: inner(result) }), ...(notification && { notification }) };
}

function officialRows({ official, own }: Target): Record<string, Row> {
  const rows: Record<string, Row> = {};
  // Requests come before the notifications of the same name.
  for (const name of official.names.toSorted(
    (a, b) => Number(/Notification$/.test(a)) - Number(/Notification$/.test(b)),
  )) {
    const { "x-method": method, "x-side": side } = official.definitions[name] ?? {};
    if (method === undefined || side === undefined) continue;
    const from = side === "proxy" ? (proxySenders[method] ?? "") : senders[side];
    const schema = own.get(constantName(name));
    rows[method] ??= {};
    const row = rows[method];
    if (name.endsWith("Response")) row.result = schema;
    else if (row.result !== undefined && name.endsWith("Notification")) row.notification = { from, params: schema };
    else Object.assign(row, { from, params: schema });
  }
  return rows;
}
