import type { Official, OfficialNode } from "./official-schema.js";
import type { Random } from "./random.js";

type Json = Record<string, unknown>;

const bounds: Readonly<Record<string, readonly [number, number]>> = {
  uint16: [0, 0xffff],
  uint32: [0, 0xffff_ffff],
  int32: [-0x8000_0000, 0x7fff_ffff],
};
const anything: readonly unknown[] = [null, true, 7, 0.5, "", "any", [], [1, "a"], {}, { a: { b: null } }];

/** A document that is valid by an official definition, here and there with members that nobody knows. */
export function validDocument(official: Official, reference: OfficialNode, random: Random): unknown {
  const valid = (node: OfficialNode) => validDocument(official, node, random);
  const node = official.resolve(reference);
  if (node.const !== undefined) return node.const;
  const branches = node.anyOf ?? node.oneOf;
  const parts: unknown[] = [];
  if (node.type !== undefined || node.properties !== undefined) {
    parts.push(ofType(official, node, random.pick([node.type ?? "object"].flat()), random));
  }
  for (const all of node.allOf ?? []) parts.push(valid(all));
  if (branches !== undefined) parts.push(valid(random.pick(branches)));
  if (parts.length === 0) return random.pick(anything);
  return parts.length === 1 ? parts[0] : Object.assign({}, ...parts);
}

function ofType(official: Official, node: OfficialNode, type: string, random: Random): unknown {
  switch (type) {
    case "null":
      return null;
    case "boolean":
      return random.chance(0.5);
    case "integer": {
      const [least, most] = bounds[node.format ?? ""] ?? [-(2 ** 53), 2 ** 60];
      const min = Math.max(node.minimum ?? least, least);
      return random.pick([min, most, 1, 2, Math.min(1000 + random.below(60_000), most)]);
    }
    case "number":
      return node.maximum === undefined ? random.pick([0, -1, 0.5, 1e300, 42]) : random.pick([node.minimum, 0.25, 1]);
    case "array": {
      const length = (node.minItems ?? 0) + random.below(3);
      return Array.from({ length }, () => validDocument(official, node.items ?? {}, random));
    }
    case "string":
      // The tag of an "other" branch must be none of the known ones, which begin with a letter.
      return `${random.pick(["~", "_"])}${random.pick(["", "a", "é", "long enough"])}`;
    default:
      return ofMembers(official, node, random);
  }
}

function ofMembers(official: Official, node: OfficialNode, random: Random): Json {
  const document: Json = {};
  const { additionalProperties: each, properties = {}, required = [] } = node;
  if (typeof each === "object") {
    for (let count = random.below(3); count > 0; count--) document[`~${count}`] = validDocument(official, each, random);
  }
  for (const [name, member] of Object.entries(properties)) {
    if (required.includes(name) || random.chance(0.5)) document[name] = validDocument(official, member, random);
  }
  if (typeof each !== "object" && random.chance(0.1)) document["~unknown"] = random.pick(anything);
  return document;
}

const junk: readonly unknown[] = [
  ...[null, true, false, 0, -1, 1.5, 70_000, 2 ** 33, "", "~junk", "_junk", "error", [], [1], [null], {}],
  ...[{ type: "text" }, { type: 1 }, { type: "_custom" }, { a: 1 }],
];

// Where a member that does not belong there tells most.
const telling = ["type", "sessionId", "requestId", "error", "result", "capabilities", "stopReason", "_meta"];

/** Makes one fault in a document: a place is replaced, taken out, or gets a neighbour that does not belong there. */
export function withFault(document: unknown, names: readonly string[], random: Random): unknown {
  const copy = structuredClone(document);
  const places: [owner: Json, key: string][] = [];
  collectPlaces(copy, places);
  if (places.length === 0) return random.pick(junk);
  const [owner, key] = random.pick(places);
  const value = structuredClone(random.pick(junk));
  const action = random.below(4);
  if (action === 0 && Array.isArray(owner)) owner.splice(Number(key), 1);
  else if (action === 0) delete owner[key];
  else if (action === 1 && Array.isArray(owner)) owner.push(value);
  else if (action === 1) owner[random.pick(random.chance(0.5) ? names : telling)] = value;
  else owner[key] = value;
  return copy;
}

function collectPlaces(value: unknown, places: [Json, string][]): void {
  if (typeof value !== "object" || value === null) return;
  for (const key of Object.keys(value)) {
    places.push([value as Json, key]);
    collectPlaces((value as Json)[key], places);
  }
}
