import { sifted } from "./list.js";
import { INVALID, invalid, type Read, salvage } from "./note.js";
import { createSchema, type OptionalSchema, type Schema } from "./schema.js";

const NULL: ReadonlySet<unknown> = /* @__PURE__ */ new Set([null]);

/** The value or `null`. */
// @__NO_SIDE_EFFECTS__
export function nullable<T>(inner: Schema<T>): Schema<T | null> {
  const { def } = inner._zod;
  const expected = `${def.expected} or null`;
  return createSchema({
    kind: "nullable",
    expected,
    quick: def.quick,
    known: def.known === undefined ? NULL : new Set([...def.known, null]),
    parts: { inner },
    read: (value, notes) => (value === null ? null : def.read(value, notes)),
    json: () => ({ anyOf: [def.json(), { type: "null" }] }),
  });
}

/** A member that may be missing; if it is there it must be valid. */
// @__NO_SIDE_EFFECTS__
export function optional<T>(inner: Schema<T>): OptionalSchema<T> {
  const { def } = inner._zod;
  return optionalSchema("optional", inner, def.read);
}

/** A member that may be missing; if it is malformed it reads as missing (the catalogue's mark L). */
// @__NO_SIDE_EFFECTS__
export function lenient<T>(inner: Schema<T>): OptionalSchema<T> {
  const { def } = inner._zod;
  return optionalSchema("lenient", inner, (value, notes) => {
    const mark = notes.length;
    const out = def.read(value, notes);
    if (out !== INVALID) return out;
    salvage(notes, mark);
    return undefined;
  });
}

/** A list that may be missing; what is no list reads as missing, and bad elements are dropped (the catalogue's mark LS). */
// @__NO_SIDE_EFFECTS__
export function lenientList<T>(element: Schema<T>): OptionalSchema<readonly T[]> {
  return lenient(sifted(element));
}

/** A member that must be there; if it is malformed it reads as the fallback, which is shared and therefore frozen. */
// @__NO_SIDE_EFFECTS__
export function requiredOr<T>(inner: Schema<T>, fallback: T): Schema<T> {
  const { def } = inner._zod;
  const replacement = Object.freeze(fallback);
  return createSchema({
    kind: "requiredOr",
    expected: def.expected,
    quick: def.quick,
    known: def.known,
    parts: { inner },
    read(value, notes) {
      if (value === undefined) return invalid(notes, def.expected, value);
      const mark = notes.length;
      const out = def.read(value, notes);
      if (out !== INVALID) return out;
      salvage(notes, mark);
      return replacement;
    },
    json: def.json,
  });
}

/** A list, map or object without required members for which `null` reads as the empty one (the catalogue's mark N). */
// @__NO_SIDE_EFFECTS__
export function nullAsEmpty<T>(inner: Schema<T>): Schema<T> {
  const { def } = inner._zod;
  return createSchema({
    kind: "nullAsEmpty",
    expected: def.expected,
    parts: { inner },
    empty: def.empty,
    read(value, notes) {
      const empty = value === null ? def.empty?.() : undefined;
      if (empty === undefined) return def.read(value, notes);
      // A remark, since nobody should send it.
      notes.push({ about: "salvaged", reversed: [], message: `expected ${def.expected}, got null` });
      return empty;
    },
    json: def.json,
  });
}

// @__NO_SIDE_EFFECTS__
function optionalSchema<T>(kind: "optional" | "lenient", inner: Schema<T>, read: Read): OptionalSchema<T> {
  const { def } = inner._zod;
  return createSchema<T | undefined>({
    kind,
    expected: def.expected,
    optional: true,
    quick: def.quick,
    known: def.known,
    parts: { inner },
    read: (value, notes) => (value === undefined ? undefined : read(value, notes)),
    json: def.json,
  }) as OptionalSchema<T>;
}
