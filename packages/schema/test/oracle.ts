import { type OfficialNode, official, resolve } from "./official-schema.js";

/** What becomes of a value: another one, the same one, or undefined when it is invalid. */
export type Reading = { readonly value: unknown } | undefined;

// Where turnkit takes more than the official schema; see `deviations` and V1-ELIC-09.
const openUnions: ReadonlySet<unknown> = new Set([
  official.SessionUpdate,
  official.ContentBlock,
  official.ToolCallContent,
]);
const openEnums: ReadonlySet<unknown> = new Set([official.ToolKind, official.ToolCallStatus, official.StringFormat]);

// A tag in the table decides everywhere but here: a string with `type: "boolean"` is a value id (V1-CFG-08).
const untaggedUnions: ReadonlySet<unknown> = new Set([official.SetSessionConfigOptionRequest]);

const limits: Readonly<Record<string, readonly [number, number]>> = {
  uint16: [0, 0xffff],
  uint32: [0, 0xffff_ffff],
  int32: [-0x8000_0000, 0x7fff_ffff],
};

/**
 * Reads a value by the official schema and its `x-deserialize-*` marks in the plainest way: a second opinion on what our
 * validators hand on. In a prompt the union of content blocks is closed (V1-CONT-09).
 */
export function readOfficially(reference: OfficialNode, value: unknown, isPrompt = false): Reading {
  const node = resolve(reference);
  if (!fits(node, value)) return undefined;
  let reading: Reading = { value };
  for (const part of node.allOf ?? []) reading &&= readOfficially(part, reading.value, isPrompt);
  const branches = node.anyOf ?? node.oneOf;
  if (branches !== undefined) reading &&= readUnion(node, branches, reading.value, isPrompt);
  if (reading === undefined) return undefined;
  if (Array.isArray(reading.value)) return readItems(node, reading.value, isPrompt);
  return isObject(reading.value) ? readMembers(node, reading.value, isPrompt) : reading;
}

function fits(node: OfficialNode, value: unknown): boolean {
  if (node.const !== undefined && node.const !== value) return false;
  if (typeof value === "string" && value.length < (node.minLength ?? 0)) return false;
  if (node.type === undefined) return true;
  return [node.type].flat().some((type) => {
    if (type === "null") return value === null;
    if (type === "array") return Array.isArray(value);
    if (type === "object") return isObject(value);
    if (type !== "integer") return typeof value === type;
    const [min, max] = limits[node.format ?? ""] ?? [node.minimum ?? -Infinity, Infinity];
    return Number.isInteger(value) && (value as number) >= min && (value as number) <= max;
  });
}

function readUnion(node: OfficialNode, branches: readonly OfficialNode[], value: unknown, isPrompt: boolean): Reading {
  if (openEnums.has(node) && typeof value === "string") return { value };
  const tagOf = (branch: OfficialNode) =>
    Object.entries(branch.properties ?? {}).find(([, member]) => member.const !== undefined);
  const tag = branches.map(tagOf).find((found) => found !== undefined)?.[0];
  if (tag !== undefined && isObject(value) && !untaggedUnions.has(node)) {
    const chosen = branches.find((branch) => value[tag] !== undefined && tagOf(branch)?.[1].const === value[tag]);
    if (chosen !== undefined) return readOfficially(chosen, value, isPrompt);
    const open = openUnions.has(node) && !(isPrompt && node === official.ContentBlock);
    if (open && typeof value[tag] === "string") return { value };
  }
  for (const branch of branches) {
    const reading = readOfficially(branch, value, isPrompt);
    if (reading !== undefined) return reading;
  }
  return undefined;
}

function readItems(node: OfficialNode, value: readonly unknown[], isPrompt: boolean): Reading {
  const items = node.items;
  if (items === undefined) return { value };
  const readings = value.map((item) => readOfficially(items, item, isPrompt));
  const sifts = node["x-deserialize-skip-invalid-items"] === true;
  if (!sifts && readings.includes(undefined)) return undefined;
  return { value: readings.flatMap((reading) => (reading === undefined ? [] : [reading.value])) };
}

function readMembers(node: OfficialNode, value: Record<string, unknown>, isPrompt: boolean): Reading {
  const out = { ...value };
  const each = typeof node.additionalProperties === "object" ? node.additionalProperties : undefined;
  const names = each === undefined ? Object.keys(node.properties ?? {}) : Object.keys(value);
  for (const name of names) {
    const member = each ?? node.properties?.[name] ?? {};
    const required = node.required?.includes(name) ?? false;
    if (!Object.hasOwn(value, name)) {
      if (required) return undefined;
      continue;
    }
    const empty = [member.type].flat().includes("array") ? [] : {};
    const onNull = member["x-deserialize-default-on-null"] === true && value[name] === null;
    const reading = onNull ? { value: empty } : readOfficially(member, value[name], isPrompt);
    if (reading !== undefined) out[name] = reading.value;
    else if (member["x-deserialize-default-on-error"] !== true) return undefined;
    else if (required) out[name] = empty;
    else delete out[name];
  }
  return { value: out };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
