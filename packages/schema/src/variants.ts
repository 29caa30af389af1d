import { invalid, type Read, refused, remark } from "./note.js";
import { isObject } from "./object.js";
import { listed, unknown } from "./scalar.js";
import { createSchema, type Infer, type JsonSchema, type Schema, type Unrecognized } from "./schema.js";

/** Schemas of the variants of a union, by the value of the tag. */
export type VariantTable = Readonly<Record<string, Schema>>;

/** Variant that this version of the protocol does not define. It is not changed. */
export type UnknownVariant<Tag extends string> = { readonly [K in Tag]: Unrecognized } & {
  readonly [member: string]: unknown;
};

/**
 * Variant that the protocol does not define. It is custom, so its tag begins with `_`, or it is from a later protocol
 * version. A variant of a later version can be received, but not written.
 */
export type CustomVariant<Tag extends string> = { readonly [K in Tag]: `_${string}` | Unrecognized } & {
  readonly [member: string]: unknown;
};

/** Handling of an object without a tag, or with a tag that is not in the table. */
export type VariantOptions<U extends "keep" | "reject" | Schema, V extends Schema | undefined> = {
  /** Handling of an unknown tag. The object is accepted unchanged, refused, or read with this schema. */
  readonly unknown: U;
  /** Schema of an object whose tag is missing or not a string. If this schema is absent, such an object is refused. */
  readonly untagged?: V;
};

/** Handling of an object without a tag, or with a tag that is not in the table of an open union. */
export type OpenVariantOptions<Name extends string, U extends Schema | undefined, V extends Schema | undefined> = {
  /** Schema of all other variants. If it is absent, any object is accepted. */
  readonly other?: U;
  /** Schema of an object whose tag is missing or not a string. If this schema is absent, such an object is refused. */
  readonly untagged?: V;
  /** Variant that applies to an object without a tag. The tag is added to the object. */
  readonly assumed?: Name;
};

type Tagged<Tag extends string, Table extends VariantTable> = {
  [K in keyof Table & string]: { readonly [T in Tag]: K } & Infer<Table[K]>;
}[keyof Table & string];

type UnknownOf<Tag extends string, U> = U extends "keep"
  ? UnknownVariant<Tag>
  : U extends Schema
    ? { readonly [T in Tag]: Unrecognized } & Infer<U>
    : never;

type OtherOf<Tag extends string, U> = U extends Schema
  ? { readonly [T in Tag]: `_${string}` | Unrecognized } & Infer<U>
  : CustomVariant<Tag>;

type UntaggedOf<Tag extends string, V> = V extends Schema ? { readonly [T in Tag]?: undefined } & Infer<V> : never;

/**
 * Makes a union of objects. The value of one string member, the tag, selects the variant. If the tag is in the table,
 * malformed members are an error, and no other variant is tried.
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
  const rest: "keep" | "reject" | Schema = options.unknown;
  const other = rest === "keep" ? unknown() : rest === "reject" ? undefined : rest;
  return variantsSchema("variants", tag, table, other, options.untagged);
}

/**
 * Makes a union like {@link variants} that accepts unknown variants. Custom variants, whose tag begins with `_`, may
 * also be written.
 */
// @__NO_SIDE_EFFECTS__
export function openVariants<
  const Tag extends string,
  const Table extends VariantTable,
  const U extends Schema | undefined = undefined,
  const V extends Schema | undefined = undefined,
>(
  tag: Tag,
  table: Table,
  options: OpenVariantOptions<keyof Table & string, U, V> = {},
): Schema<Tagged<Tag, Table> | OtherOf<Tag, U> | UntaggedOf<Tag, V>> {
  return variantsSchema("openVariants", tag, table, options.other ?? unknown(), options.untagged, options.assumed);
}

/**
 * Makes a union with the variants of `base` and further variants. `base` was made by `variants` or `openVariants` with
 * the same tag. A new variant replaces a variant of the same name.
 */
// @__NO_SIDE_EFFECTS__
export function extendVariants<T, const Tag extends string, const Table extends VariantTable>(
  base: Schema<T>,
  tag: Tag,
  table: Table,
): Schema<Exclude<T, { readonly [K in Tag]: keyof Table }> | Tagged<Tag, Table>> {
  const { kind, parts } = base.def;
  const { "(unknown)": other, "(untagged)": untagged, ...known } = parts?.() ?? {};
  return variantsSchema(kind as "variants", tag, { ...known, ...table }, other, untagged);
}

// @__NO_SIDE_EFFECTS__
function variantsSchema<T>(
  kind: "variants" | "openVariants",
  tag: string,
  table: VariantTable,
  other: Schema | undefined,
  untagged: Schema | undefined,
  assumed?: string,
): Schema<T> {
  // The list is made on first use, because a program needs few schemas when it starts.
  let readers: ReadonlyMap<unknown, Read> | undefined;
  const expected = () => listed(Object.keys(table));
  const readOther = other?.def.read;
  const readUntagged = untagged?.def.read;

  const read: Read = (value, notes) => {
    if (!isObject(value)) return invalid(notes, "an object", value);
    readers ??= new Map(Object.entries(table).map(([name, { def }]) => [name, def.read]));
    const name = value[tag];
    const known = readers.get(name);
    if (known !== undefined) return known(value, notes);
    if (name === undefined && assumed !== undefined) {
      remark(notes, "salvaged", `expected ${expected()}, got nothing`, [tag]);
      return readers.get(assumed)?.({ ...value, [tag]: assumed }, notes);
    }
    if (typeof name !== "string" && readUntagged !== undefined) return readUntagged(value, notes);
    if (typeof name !== "string" || readOther === undefined) return invalid(notes, expected(), name, [tag]);
    if (kind === "variants" || !name.startsWith("_")) remark(notes, "unrecognized", `expected ${expected()}`, [tag]);
    return readOther(value, notes);
  };

  return createSchema({
    kind,
    expected: "an object",
    read,
    tag,
    parts: () => ({
      ...table,
      ...(other && { "(unknown)": other }),
      ...(untagged && { "(untagged)": untagged }),
    }),
    json: () => variantsJson(tag, table, other, untagged),
  });
}

function variantsJson(
  tag: string,
  table: VariantTable,
  other: Schema | undefined,
  untagged: Schema | undefined,
): JsonSchema {
  const names = Object.keys(table);
  const branches = Object.entries(table).map(([name, { def }]) => tagged(tag, { const: name }, def.json()));
  if (other !== undefined) branches.push(tagged(tag, { type: "string", not: { enum: names } }, other.def.json()));
  if (untagged !== undefined) {
    const hasTag = { properties: { [tag]: { type: "string" } }, required: [tag] };
    branches.push({ not: hasTag, allOf: [untagged.def.json()] });
  }
  return { anyOf: branches };
}

function tagged(tag: string, name: JsonSchema, body: JsonSchema): JsonSchema {
  return { type: "object", properties: { [tag]: name }, required: [tag], allOf: [body] };
}

type Only<Table extends Readonly<Record<string, Schema>>> = {
  [K in keyof Table & string]: Infer<Table[K]> & { readonly [Other in Exclude<keyof Table & string, K>]?: undefined };
}[keyof Table & string];

/**
 * Makes a union of objects. Each variant has one of the given members, which selects it. A malformed member counts as
 * present. An object with none or with several of these members is invalid.
 */
// @__NO_SIDE_EFFECTS__
export function exactlyOne<const Table extends Readonly<Record<string, Schema>>>(table: Table): Schema<Only<Table>> {
  const keys = Object.keys(table);
  const expected = `exactly one of ${keys.join(" and ")}`;
  const read: Read = (value, notes) => {
    if (!isObject(value)) return invalid(notes, "an object", value);
    const present = keys.filter((key) => value[key] !== undefined);
    const [key = ""] = present;
    if (present.length === 1) return table[key]?.def.read(value, notes);
    return refused(notes, `expected ${expected}, got ${present.length === 0 ? "none" : present.length}`);
  };
  return createSchema({
    kind: "exactlyOne",
    expected: "an object",
    read,
    parts: () => table,
    json: () => ({
      oneOf: keys.map((key) => ({
        not: { anyOf: keys.filter((other) => other !== key).map((other) => ({ required: [other] })) },
        allOf: [table[key]?.def.json()],
      })),
    }),
  });
}
