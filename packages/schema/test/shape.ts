import { isDeepStrictEqual } from "node:util";
import type { Schema } from "../src/index.js";
import { constantName, type OfficialNode } from "./official-schema.js";
import type { Target } from "./targets.js";

/**
 * Content of a definition, in a form that is the same for our schemas and for official ones. Unions of objects are written
 * out as a sorted list of flat alternatives, so it does not matter who nests what in what.
 */
export type Shape =
  | string
  | { readonly nullable: Shape }
  | { readonly list: Shape; readonly sifted: boolean; readonly min: number }
  | { readonly record: Shape }
  | { readonly union: readonly Shape[] }
  | { readonly alternatives: readonly Members[] };
type Members = Readonly<Record<string, Member>>;
type Member = { readonly required: boolean; readonly mark: "" | "L" | "N"; readonly shape: Shape };

const otherTag: Member = { required: true, mark: "", shape: "another string" };
const tag = (name: string): Member => ({ required: true, mark: "", shape: JSON.stringify(name) });

/** The shape of an official definition. */
export function officialShape(target: Target, name: string): Shape {
  const { resolve, definitions } = target.official;
  const flattened = new Map(
    Object.entries(target.differences.flattened).map(([union, key]) => [definitions[union], key]),
  );

  function shapeOf(reference: OfficialNode): Shape {
    const node = resolve(reference);
    const branches = node.anyOf ?? node.oneOf;
    if (Array.isArray(node.type) && node.type.includes("null")) {
      return nullable(shapeOf({ ...node, type: node.type.find((type) => type !== "null") }));
    }
    if (branches?.some((branch) => branch.type === "null")) {
      return nullable(shapeOf({ anyOf: branches.filter((branch) => branch.type !== "null") }));
    }
    if (branches?.every((branch) => branch.type === "string")) {
      const known = branches.filter((branch) => branch.const !== undefined).map((branch) => branch.const);
      return enumShape(known, known.length < branches.length);
    }
    if (branches?.every((branch) => branch.type === "integer")) return shapeOf(branches.at(-1) ?? {});
    if (node.type === undefined && node.properties === undefined) {
      if (branches?.length === 1) return shapeOf(branches[0] ?? {});
      if (node.allOf?.length === 1 && branches === undefined) return shapeOf(node.allOf[0] ?? {});
      if (branches !== undefined && !branches.every(isObject)) return union(branches.map(shapeOf));
    }
    if (typeof node.additionalProperties === "object") return record(shapeOf(node.additionalProperties));
    if (node.type === "array") {
      const sifted = node["x-deserialize-skip-invalid-items"] === true;
      return { list: shapeOf(node.items ?? {}), sifted, min: node.minItems ?? 0 };
    }
    if (isObject(node)) return alternatives(alternativesOf(node));
    if (node.const !== undefined) return JSON.stringify(node.const);
    if (node.type === "string") return node.minLength ? `string(${node.minLength})` : "string";
    if (node.type === "integer" || node.type === "number") return numberShape(node);
    return typeof node.type === "string" ? node.type : "any";
  }

  function isObject(reference: OfficialNode): boolean {
    const node = resolve(reference);
    if (node.type !== undefined) return node.type === "object";
    if (node.properties !== undefined) return true;
    return [...(node.allOf ?? []), ...(node.anyOf ?? node.oneOf ?? [])].some(isObject);
  }

  function alternativesOf(reference: OfficialNode): Members[] {
    const node = resolve(reference);
    let found: Members[] = [membersOf(node)];
    for (const all of node.allOf ?? []) found = cross(found, alternativesOf(all));
    const branches = node.anyOf ?? node.oneOf;
    if (branches !== undefined) found = cross(found, branches.flatMap(alternativesOf));
    const key = flattened.get(node);
    return key === undefined ? found : [flatten(found, key)];
  }

  function membersOf(node: OfficialNode): Members {
    const members: Record<string, Member> = {};
    const { properties: notTagged } = node.not?.anyOf?.[0] ?? node.not ?? {};
    for (const [key, member] of Object.entries(node.properties ?? {})) {
      if (key === "_meta") continue;
      const required = node.required?.includes(key) ?? false;
      const mark = member["x-deserialize-default-on-error"] ? "L" : member["x-deserialize-default-on-null"] ? "N" : "";
      members[key] = notTagged?.[key] ? otherTag : plain({ required, mark, shape: shapeOf(member) });
    }
    return members;
  }

  return shapeOf(definitions[name] ?? {});
}

/** The variants of a union as one object: all their members, and the tag as an open enum that may be missing. */
function flatten(found: readonly Members[], key: string): Members {
  const known = found.flatMap(({ [key]: member }) => (/^"/.test(String(member?.shape)) ? [String(member?.shape)] : []));
  const tags = enumShape(
    known.map((name) => JSON.parse(name)),
    true,
  );
  return { ...Object.assign({}, ...found), [key]: { required: false, mark: "L", shape: nullable(tags) } };
}

/** The shape of one of our schemas, without what the target is meant to differ in. */
export function ownShape(target: Target, schema: Schema): Shape {
  const { own, differences } = target;
  const opened = new Set(Object.keys(differences.opened).map((name) => own.get(constantName(name))));

  function shapeOf(schema: Schema): Shape {
    const { def } = schema;
    const parts = def.parts?.() ?? {};
    const part = (name: string) => shapeOf(parts[name] as Schema);
    switch (def.kind) {
      case "optional":
      case "lenient":
      case "requiredOr":
      case "nullAsEmpty":
        return part("inner");
      case "nullable":
        return nullable(part("inner"));
      case "list":
      case "sifted":
        return { list: part("element"), sifted: def.kind === "sifted", min: Number(def.json().minItems ?? 0) };
      case "record":
        return record(part("element"));
      case "object":
      case "variants":
      case "openVariants":
      case "exactlyOne":
        return alternatives(alternativesOf(schema));
      case "firstOf":
        return Object.values(parts).every((option) => option._zod.def.kind === "object")
          ? alternatives(alternativesOf(schema))
          : union(Object.keys(parts).map(part));
      case "oneOf":
        return enumShape(def.json().enum as string[], false);
      case "openEnum":
      case "keptEnum": {
        const [known] = def.json().anyOf as [{ enum: string[] }];
        return enumShape(known.enum, !opened.has(schema));
      }
      case "literal":
        return def.expected === '"object"' ? enumShape(["object"], false) : def.expected;
      case "integer":
      case "number":
        return numberShape(def.json());
      case "string":
        return def.json().minLength ? `string(${def.json().minLength})` : "string";
      case "unknown":
        return "any";
      default:
        return def.kind;
    }
  }

  function alternativesOf(schema: Schema): Members[] {
    const { kind, tag: key = "" } = schema.def;
    const parts = schema.def.parts?.() ?? {};
    if (kind === "firstOf" || kind === "exactlyOne") return Object.values(parts).flatMap(alternativesOf);
    if (kind === "unknown") return [{}];
    if (kind === "variants" || kind === "openVariants") {
      return Object.entries(parts).flatMap(([variant, option]) => {
        if (variant === "(unknown)" && opened.has(schema)) return [];
        if (variant === "(unknown)" && parts["(untagged)"] === option) return [];
        if (variant === "(untagged)") return alternativesOf(option);
        const member = variant === "(unknown)" ? otherTag : tag(variant);
        return cross([{ [key]: member }], alternativesOf(option));
      });
    }
    const members: Record<string, Member> = {};
    for (const [name, part] of Object.entries(parts)) {
      if (name === "_meta" || name in differences.members) continue;
      members[name] = plain({
        required: part._zod.def.optional !== true,
        mark: markOf(part),
        shape: shapeOf(part),
      });
    }
    return [members];
  }

  return shapeOf(schema);
}

function markOf(schema: Schema): Member["mark"] {
  const { kind, parts } = schema.def;
  const inner = parts?.().inner;
  if (kind === "lenient" || kind === "requiredOr") return "L";
  if (kind === "nullAsEmpty") return "N";
  return kind === "optional" && inner !== undefined ? markOf(inner) : "";
}

/** Nothing can be malformed where anything goes. */
const plain = (member: Member): Member => (member.shape === "any" ? { ...member, mark: "" } : member);

/** A map of anything is an object of which nothing is known. */
const record = (shape: Shape): Shape => (shape === "any" ? alternatives([{}]) : { record: shape });

/** Null is one of anything. */
const nullable = (shape: Shape): Shape => (shape === "any" ? shape : { nullable: shape });

const cross = (left: readonly Members[], right: readonly Members[]): Members[] =>
  left.flatMap((some) => right.map((more) => ({ ...some, ...more })));

const bounds: Readonly<Record<string, readonly [number, number]>> = {
  uint16: [0, 0xffff],
  uint32: [0, 0xffff_ffff],
  int32: [-0x8000_0000, 0x7fff_ffff],
};

function numberShape(json: { type?: unknown; format?: unknown; minimum?: unknown; maximum?: unknown }): string {
  const [min, max] = bounds[json.format as string] ?? [];
  return `${json.type}[${json.minimum ?? min ?? ""}..${json.maximum ?? max ?? ""}]`;
}

const enumShape = (known: readonly unknown[], open: boolean): string =>
  `${open ? "open " : ""}enum ${known.toSorted().join(" ")}`;

const sorted = <T>(values: readonly T[]): T[] => {
  const unique = values.filter(
    (value, index) => values.findIndex((other) => isDeepStrictEqual(value, other)) === index,
  );
  return unique.toSorted((a, b) => (canonical(a) < canonical(b) ? -1 : 1));
};
const union = (shapes: readonly Shape[]): Shape => (shapes.includes("any") ? "any" : { union: sorted(shapes) });
const alternatives = (found: readonly Members[]): Shape => ({ alternatives: sorted(found) });

function canonical(value: unknown): string {
  return JSON.stringify(value, (_, member) =>
    typeof member === "object" && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : member,
  );
}
