import { isDeepStrictEqual } from "node:util";
import type { Schema } from "../src/index.js";
import { type OfficialNode, resolve } from "./official-schema.js";

/**
 * What a definition says, in a form that is the same for our schemas and for official ones. Unions of objects are written
 * out as a sorted list of flat alternatives, so it does not matter who nests what in what.
 */
export type Shape =
  | string
  | { readonly nullable: Shape }
  | { readonly list: Shape; readonly sifted: boolean }
  | { readonly record: Shape }
  | { readonly union: readonly Shape[] }
  | { readonly alternatives: readonly Members[] };
type Members = Readonly<Record<string, Member>>;
type Member = { readonly required: boolean; readonly mark: "" | "L" | "N"; readonly shape: Shape };

const otherTag: Member = { required: true, mark: "", shape: "another string" };
const tag = (name: string): Member => ({ required: true, mark: "", shape: JSON.stringify(name) });

/** The shape of an official node. */
export function officialShape(reference: OfficialNode): Shape {
  const node = resolve(reference);
  const branches = node.anyOf ?? node.oneOf;
  if (Array.isArray(node.type) && node.type.includes("null")) {
    return { nullable: officialShape({ ...node, type: node.type.find((type) => type !== "null") }) };
  }
  if (branches?.some((branch) => branch.type === "null")) {
    return { nullable: officialShape({ anyOf: branches.filter((branch) => branch.type !== "null") }) };
  }
  if (branches?.every((branch) => branch.type === "string")) {
    const known = branches.filter((branch) => branch.const !== undefined).map((branch) => branch.const);
    return enumShape(known, known.length < branches.length);
  }
  if (branches?.every((branch) => branch.type === "integer")) return officialShape(branches.at(-1) ?? {});
  if (node.type === undefined && node.properties === undefined) {
    if (branches?.length === 1) return officialShape(branches[0] ?? {});
    if (node.allOf?.length === 1 && branches === undefined) return officialShape(node.allOf[0] ?? {});
    if (branches !== undefined && !branches.every(isObject)) return union(branches.map(officialShape));
  }
  if (typeof node.additionalProperties === "object") return { record: officialShape(node.additionalProperties) };
  if (node.type === "array") {
    return { list: officialShape(node.items ?? {}), sifted: node["x-deserialize-skip-invalid-items"] === true };
  }
  if (isObject(node)) return alternatives(officialAlternatives(node));
  if (node.const !== undefined) return JSON.stringify(node.const);
  if (node.type === "string") return node.minLength ? `string(${node.minLength})` : "string";
  if (node.type === "integer") return integerShape(node);
  return typeof node.type === "string" ? node.type : "any";
}

/** Departures from the official schema that {@link ownShape} is told to undo, so that all else can be compared. */
export type Departures = {
  /** Our schemas that also take what the official schema does not know. */
  readonly opened: ReadonlySet<Schema>;
  /** Members that only we have. */
  readonly extra: ReadonlySet<string>;
};

/** The shape of one of our schemas. */
export function ownShape(schema: Schema, departures: Departures): Shape {
  const { def } = schema._zod;
  const parts = def.parts ?? {};
  const part = (name: string) => ownShape(parts[name] as Schema, departures);
  switch (def.kind) {
    case "optional":
    case "lenient":
    case "requiredOr":
    case "nullAsEmpty":
      return part("inner");
    case "nullable":
      return { nullable: part("inner") };
    case "list":
    case "sifted":
      return { list: part("element"), sifted: def.kind === "sifted" };
    case "record":
      return { record: part("element") };
    case "object":
    case "variants":
      return alternatives(ownAlternatives(schema, departures));
    case "firstOf":
      return Object.values(parts).every((option) => option._zod.def.kind === "object")
        ? alternatives(ownAlternatives(schema, departures))
        : union(Object.keys(parts).map(part));
    case "oneOf":
      return enumShape(def.json().enum as string[], false);
    case "openEnum":
    case "keptEnum": {
      const [known] = def.json().anyOf as [{ enum: string[] }];
      return enumShape(known.enum, !departures.opened.has(schema));
    }
    case "literal":
      return def.expected === '"object"' ? enumShape(["object"], false) : def.expected;
    case "integer":
      return integerShape(def.json());
    case "string":
      return def.json().minLength ? `string(${def.json().minLength})` : "string";
    case "unknown":
      return "any";
    default:
      return def.kind;
  }
}

function isObject(reference: OfficialNode): boolean {
  const node = resolve(reference);
  if (node.type !== undefined) return node.type === "object";
  if (node.properties !== undefined) return true;
  return [...(node.allOf ?? []), ...(node.anyOf ?? node.oneOf ?? [])].some(isObject);
}

function officialAlternatives(reference: OfficialNode): Members[] {
  const node = resolve(reference);
  let found: Members[] = [officialMembers(node)];
  for (const all of node.allOf ?? []) found = cross(found, officialAlternatives(all));
  const branches = node.anyOf ?? node.oneOf;
  if (branches !== undefined) found = cross(found, branches.flatMap(officialAlternatives));
  return found;
}

function officialMembers(node: OfficialNode): Members {
  const members: Record<string, Member> = {};
  for (const [name, member] of Object.entries(node.properties ?? {})) {
    if (name === "_meta") continue;
    const required = node.required?.includes(name) ?? false;
    const mark = member["x-deserialize-default-on-error"] ? "L" : member["x-deserialize-default-on-null"] ? "N" : "";
    const shape = officialShape(member);
    members[name] = node.not === undefined ? plain({ required, mark, shape }) : otherTag;
  }
  return members;
}

function ownAlternatives(schema: Schema, departures: Departures): Members[] {
  const { kind, parts = {}, tag: name = "" } = schema._zod.def;
  if (kind === "firstOf") return Object.values(parts).flatMap((option) => ownAlternatives(option, departures));
  if (kind === "unknown") return [{}];
  if (kind === "variants") {
    return Object.entries(parts).flatMap(([variant, option]) => {
      if (variant === "(unknown)" && departures.opened.has(schema)) return [];
      if (variant === "(unknown)" && parts["(untagged)"] === option) return [];
      if (variant === "(untagged)") return ownAlternatives(option, departures);
      const member = variant === "(unknown)" ? otherTag : tag(variant);
      return cross([{ [name]: member }], ownAlternatives(option, departures));
    });
  }
  const members: Record<string, Member> = {};
  for (const [key, part] of Object.entries(parts)) {
    if (key === "_meta" || departures.extra.has(key)) continue;
    members[key] = plain({
      required: part._zod.def.optional !== true,
      mark: markOf(part),
      shape: ownShape(part, departures),
    });
  }
  return [members];
}

function markOf(schema: Schema): Member["mark"] {
  const { kind, parts } = schema._zod.def;
  if (kind === "lenient" || kind === "requiredOr") return "L";
  if (kind === "nullAsEmpty") return "N";
  return kind === "optional" && parts?.inner !== undefined ? markOf(parts.inner) : "";
}

/** Nothing can be malformed where anything goes. */
const plain = (member: Member): Member => (member.shape === "any" ? { ...member, mark: "" } : member);

const cross = (left: readonly Members[], right: readonly Members[]): Members[] =>
  left.flatMap((some) => right.map((more) => ({ ...some, ...more })));

const bounds: Readonly<Record<string, readonly [number, number]>> = {
  uint16: [0, 0xffff],
  uint32: [0, 0xffff_ffff],
  int32: [-0x8000_0000, 0x7fff_ffff],
};

function integerShape(json: { format?: unknown; minimum?: unknown; maximum?: unknown }): string {
  const [min, max] = bounds[json.format as string] ?? [json.minimum ?? "", json.maximum ?? ""];
  return `integer[${min}..${max}]`;
}

const enumShape = (known: readonly unknown[], open: boolean): string =>
  `${open ? "open " : ""}enum ${known.toSorted().join(" ")}`;

const sorted = <T>(values: readonly T[]): T[] => {
  const unique = values.filter(
    (value, index) => values.findIndex((other) => isDeepStrictEqual(value, other)) === index,
  );
  return unique.toSorted((a, b) => (canonical(a) < canonical(b) ? -1 : 1));
};
const union = (shapes: readonly Shape[]): Shape => ({ union: sorted(shapes) });
const alternatives = (found: readonly Members[]): Shape => ({ alternatives: sorted(found) });

function canonical(value: unknown): string {
  return JSON.stringify(value, (_, member) =>
    typeof member === "object" && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : member,
  );
}
