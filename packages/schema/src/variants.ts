import { invalid, type Read, remarkUnrecognized } from "./note.js";
import { isObject } from "./object.js";
import { unknown } from "./scalar.js";
import { createSchema, type Infer, type JsonSchema, type Schema, type Unrecognized } from "./schema.js";

/** The schemas of a union's variants, by the value of the tag. */
export type VariantTable = Readonly<Record<string, Schema>>;

/** A variant that this version of the protocol does not define, kept as it came. */
export type UnknownVariant<Tag extends string> = { readonly [K in Tag]: Unrecognized } & {
  readonly [member: string]: unknown;
};

/** What becomes of an object whose tag is not in the table, or that has no tag. */
export type VariantOptions<U extends "keep" | "reject" | Schema, V extends Schema | undefined> = {
  /** Keep it as it came, refuse it, or read it by this schema. */
  readonly unknown: U;
  /** The schema of an object whose tag is missing or no string; without it such an object is refused. */
  readonly untagged?: V;
};

type Tagged<Tag extends string, Table extends VariantTable> = {
  [K in keyof Table & string]: { readonly [T in Tag]: K } & Infer<Table[K]>;
}[keyof Table & string];

type UnknownOf<Tag extends string, U> = U extends "keep"
  ? UnknownVariant<Tag>
  : U extends Schema
    ? { readonly [T in Tag]: Unrecognized } & Infer<U>
    : never;

type UntaggedOf<Tag extends string, V> = V extends Schema ? { readonly [T in Tag]?: undefined } & Infer<V> : never;

/**
 * A union of objects that one string member tells apart. A tag in the table decides: a bad body is then an error and never
 * "another variant".
 */
// @__NO_SIDE_EFFECTS__
export function variants<
  const Tag extends string,
  const Table extends VariantTable,
  const U extends "keep" | "reject" | Schema,
  const V extends Schema | undefined = undefined,
>(
  tag: Tag,
  table: Table,
  options: VariantOptions<U, V>,
): Schema<Tagged<Tag, Table> | UnknownOf<Tag, U> | UntaggedOf<Tag, V>> {
  const readers = new Map<unknown, Read>(Object.entries(table).map(([name, { _zod }]) => [name, _zod.def.read]));
  const expected = Object.keys(table)
    .map((name) => JSON.stringify(name))
    .join(" or ");
  const other = typeof options.unknown === "string" ? undefined : options.unknown._zod.def.read;
  const untagged = options.untagged?._zod.def.read;

  const read: Read = (value, notes) => {
    if (!isObject(value)) return invalid(notes, "an object", value);
    const name = value[tag];
    const known = readers.get(name);
    if (known !== undefined) return known(value, notes);
    if (typeof name !== "string" && untagged !== undefined) return untagged(value, notes);
    if (typeof name !== "string" || options.unknown === "reject") {
      const answer = invalid(notes, expected, name);
      notes.at(-1)?.reversed.push(tag);
      return answer;
    }
    remarkUnrecognized(notes, `expected ${expected}`, [tag]);
    return other === undefined ? value : other(value, notes);
  };

  return createSchema({
    kind: "variants",
    expected: "an object",
    read,
    tag,
    parts: {
      ...table,
      ...(options.unknown === "reject"
        ? {}
        : { "(unknown)": options.unknown === "keep" ? unknown() : options.unknown }),
      ...(options.untagged === undefined ? {} : { "(untagged)": options.untagged }),
    },
    json: () => variantsJson(tag, table, options),
  });
}

function variantsJson(
  tag: string,
  table: VariantTable,
  options: VariantOptions<"keep" | "reject" | Schema, Schema | undefined>,
): JsonSchema {
  const names = Object.keys(table);
  const branches = Object.entries(table).map(([name, { _zod }]) => tagged(tag, { const: name }, _zod.def.json()));
  if (options.unknown !== "reject") {
    const other = options.unknown === "keep" ? {} : options.unknown._zod.def.json();
    branches.push(tagged(tag, { type: "string", not: { enum: names } }, other));
  }
  if (options.untagged) {
    const hasTag = { properties: { [tag]: { type: "string" } }, required: [tag] };
    branches.push({ not: hasTag, allOf: [options.untagged._zod.def.json()] });
  }
  return { anyOf: branches };
}

function tagged(tag: string, name: JsonSchema, body: JsonSchema): JsonSchema {
  return { type: "object", properties: { [tag]: name }, required: [tag], allOf: [body] };
}
