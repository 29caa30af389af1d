import { sifted } from "./list.js";
import { invalid, type Read, remark, salvaging } from "./note.js";
import { createSchema, type OptionalSchema, type Schema, type SchemaDef } from "./schema.js";

/** Makes a schema from another one. `changes` replaces parts of the definition. */
// @__NO_SIDE_EFFECTS__
function around<T>(
  kind: string,
  inner: Schema,
  changes: { readonly read: Read } & Partial<Pick<SchemaDef, "expected" | "known" | "optional" | "json">>,
): Schema<T> {
  return createSchema({ ...inner.def, optional: false, kind, parts: () => ({ inner }), ...changes });
}

/** Makes the schema of a value or `null`. */
// @__NO_SIDE_EFFECTS__
export function nullable<T>(inner: Schema<T>): Schema<T | null> {
  const { expected, known, read, json } = inner.def;
  return around("nullable", inner, {
    expected: `${expected} or null`,
    known: new Set([...(known ?? []), null]),
    read: (value, notes) => (value === null ? null : read(value, notes)),
    json: () => ({ anyOf: [json(), { type: "null" }] }),
  });
}

/** Makes the schema of a member that may be missing. If the member is present, its value must be valid. */
// @__NO_SIDE_EFFECTS__
export function optional<T>(inner: Schema<T>): OptionalSchema<T> {
  return optionalSchema("optional", inner, inner.def.read);
}

/** Makes the schema of a member that may be missing. A malformed value counts as missing. */
// @__NO_SIDE_EFFECTS__
export function lenient<T>(inner: Schema<T>): OptionalSchema<T> {
  return optionalSchema("lenient", inner, salvaging(inner.def.read, undefined));
}

/**
 * Makes the schema of a list that may be missing. A value that is not a list counts as missing. Malformed elements are
 * dropped.
 */
// @__NO_SIDE_EFFECTS__
export function lenientList<T>(element: Schema<T>): OptionalSchema<readonly T[]> {
  return lenient(sifted(element));
}

/** Makes the schema of a required member. A malformed value is replaced with the fallback, which is frozen. */
// @__NO_SIDE_EFFECTS__
export function requiredOr<T>(inner: Schema<T>, fallback: T): Schema<T> {
  const { expected, read } = inner.def;
  const readOr = salvaging(read, Object.freeze(fallback));
  return around("requiredOr", inner, {
    read: (value, notes) => (value === undefined ? invalid(notes, expected, value) : readOr(value, notes)),
  });
}

/** Makes a schema of a list, map or object without required members. `null` counts as the empty value. */
// @__NO_SIDE_EFFECTS__
export function nullAsEmpty<T>(inner: Schema<T>): Schema<T> {
  const { expected, read, empty: emptyOf } = inner.def;
  return around("nullAsEmpty", inner, {
    read(value, notes) {
      const empty = value === null ? emptyOf?.() : undefined;
      if (empty === undefined) return read(value, notes);
      // Peers should not send `null`, so a remark is added.
      remark(notes, "salvaged", `expected ${expected}, got null`);
      return empty;
    },
  });
}

// @__NO_SIDE_EFFECTS__
function optionalSchema<T>(kind: "optional" | "lenient", inner: Schema<T>, read: Read): OptionalSchema<T> {
  return around(kind, inner, {
    optional: true,
    read: (value, notes) => (value === undefined ? undefined : read(value, notes)),
  }) as OptionalSchema<T>;
}
