import fc from "fast-check";
import { type OfficialNode, resolve } from "./official-schema.js";

/** Documents that are valid by an official definition, with members that nobody knows here and there. */
export function validDocuments(reference: OfficialNode): fc.Arbitrary<unknown> {
  const node = resolve(reference);
  if (node.const !== undefined) return fc.constant(node.const);
  const branches = node.anyOf ?? node.oneOf;
  const parts: fc.Arbitrary<unknown>[] = (node.allOf ?? []).map(validDocuments);
  if (branches !== undefined) parts.push(fc.oneof(...branches.map(validDocuments)));
  const type = Array.isArray(node.type) ? fc.constantFrom(...node.type) : fc.constant(node.type);
  if (node.type !== undefined) parts.unshift(type.chain((name) => ofType(node, name)));
  if (parts.length === 0) return fc.jsonValue({ maxDepth: 1 });
  if (parts.length === 1) return parts[0] as fc.Arbitrary<unknown>;
  return fc.tuple(...parts).map((values) => Object.assign({}, ...values));
}

function ofType(node: OfficialNode, type: unknown): fc.Arbitrary<unknown> {
  switch (type) {
    case "null":
      return fc.constant(null);
    case "boolean":
      return fc.boolean();
    case "integer":
      return fc.integer({ min: node.minimum ?? -1000, max: 60_000 });
    case "number":
      return fc.oneof(fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true }));
    case "array":
      return fc.array(validDocuments(node.items ?? {}), { maxLength: 3 });
    case "string":
      // The tag of an "other" branch must be none of the known ones, which begin with a letter.
      return fc
        .string({ minLength: node.minLength ?? 0, maxLength: 4 })
        .map((text) => (node.minLength ? text : `~${text}`));
    default:
      return objects(node);
  }
}

function objects(node: OfficialNode): fc.Arbitrary<unknown> {
  if (typeof node.additionalProperties === "object") {
    return fc.dictionary(fc.string({ maxLength: 3 }), validDocuments(node.additionalProperties), { maxKeys: 3 });
  }
  const members = Object.entries(node.properties ?? {}).map(
    ([name, member]) => [name, validDocuments(member)] as const,
  );
  const required = node.required ?? [];
  return fc.record(
    { ...Object.fromEntries(members), "~unknown": fc.jsonValue({ maxDepth: 1 }) } as Record<
      string,
      fc.Arbitrary<unknown>
    >,
    { requiredKeys: required.filter((name) => node.properties?.[name] !== undefined) },
  );
}

const junk = fc.constantFrom<unknown>(
  ...[null, true, 0, -1, 1.5, 2 ** 33, "", "~junk", "text", [], [1], [null], {}, { type: "text" }, { type: 1 }],
);

/** The same documents with one place replaced by junk, taken out, or put in twice. */
export function mutants(documents: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  const how = fc.constantFrom("replace", "remove", "junk member", "junk element");
  return fc.tuple(documents, fc.nat(), how, junk).map(([document, pick, action, value]) => {
    const copy = structuredClone(document);
    const places = [...placesIn(copy)];
    const place = places[pick % Math.max(places.length, 1)];
    if (place === undefined) return value;
    const [owner, key] = place;
    if (action === "replace") owner[key] = value;
    else if (action === "remove") Array.isArray(owner) ? owner.splice(Number(key), 1) : delete owner[key];
    else if (Array.isArray(owner)) owner.push(value);
    else owner[action === "junk member" ? "type" : "_meta"] = value;
    return copy;
  });
}

function* placesIn(value: unknown): Generator<[Record<string, unknown>, string]> {
  if (typeof value !== "object" || value === null) return;
  for (const key of Object.keys(value)) {
    yield [value as Record<string, unknown>, key];
    yield* placesIn((value as Record<string, unknown>)[key]);
  }
}
