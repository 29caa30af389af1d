import { lenient } from "./lenient.js";
import { INVALID, invalid, type OpenNote, type Read, readBelow } from "./note.js";
import { tested } from "./scalar.js";
import { createSchema, type Infer, type JsonSchema, type OptionalSchema, type Schema } from "./schema.js";

/** Extension data of an object of the protocol. The sender defines the keys. */
export type Meta = { readonly [key: string]: unknown };

/** Schemas of an object's members, by name. */
export type Fields = Readonly<Record<string, Schema>>;

type OptionalKeys<F> = { [K in keyof F]: F[K] extends OptionalSchema<unknown> ? K : never }[keyof F];

/** Type of an object with the members in `F`. */
export type ObjectOf<F> = {
  readonly [K in keyof F as K extends OptionalKeys<F> ? never : K]: F[K] extends Schema ? Infer<F[K]> : never;
} & {
  readonly [K in keyof F as K extends OptionalKeys<F> ? K : never]?: F[K] extends Schema ? Infer<F[K]> : never;
} & {
  /** Extension data. */
  readonly _meta?: Meta | null | undefined;
};

/** Type of an object with added or replaced members. */
export type Extended<T, F> = (keyof T & keyof F extends never ? T : Omit<T, keyof F>) & ObjectOf<F>;

type Member = {
  readonly key: string;
  readonly read: Read;
  readonly required: boolean;
  readonly expected: string;
  readonly quick: string | undefined;
  readonly known: ReadonlySet<unknown> | undefined;
};

/**
 * Makes the schema of an object with these members and `_meta`. Other members are also accepted, because a newer peer
 * may send them. They are not in the type, so the compiler reports a misspelt member. If `fields` is a function, it is
 * called on first use.
 */
// @__NO_SIDE_EFFECTS__
export function object<const F extends Fields>(fields: F | (() => F)): Schema<ObjectOf<F>> {
  let known: Fields | undefined;
  const parts = () => (known ??= { ...fieldsOf(fields), _meta: meta });
  // The list is made on first use, because a program needs few schemas when it starts.
  let members: readonly Member[] | undefined;
  const all = () => (members ??= membersOf(parts()));
  return createSchema({
    kind: "object",
    expected: "an object",
    empty: () => (all().some((member) => member.required) ? undefined : NOTHING),
    parts,
    read: (value, notes) => readMembers(members ?? all(), value, notes),
    json: () => objectJson(parts()),
  });
}

const fieldsOf = <F extends Fields>(fields: F | (() => F)): F => (typeof fields === "function" ? fields() : fields);

const NOTHING = /* @__PURE__ */ Object.freeze({});

function membersOf(parts: Fields): readonly Member[] {
  return Object.entries(parts).map(([key, schema]) => {
    const { read, optional, expected, quick, known } = schema.def;
    return { key, read, required: optional !== true, expected, quick, known };
  });
}

/**
 * Makes the schema of an object with the members of `base` and further members. `base` was made by `object` or
 * `extend`. A new member replaces a member of the same name.
 */
// @__NO_SIDE_EFFECTS__
export function extend<T, const F extends Fields>(base: Schema<T>, fields: F | (() => F)): Schema<Extended<T, F>> {
  return object(() => ({ ...base.def.parts?.(), ...fieldsOf(fields) })) as Schema<unknown> as Schema<Extended<T, F>>;
}

/** Makes the schema of an object that is used as a map. All values have the same schema. */
// @__NO_SIDE_EFFECTS__
export function record<T>(element: Schema<T>): Schema<{ readonly [key: string]: T }> {
  const { read, json } = element.def;
  return createSchema({
    kind: "record",
    expected: "an object",
    empty: () => NOTHING,
    parts: () => ({ element }),
    read(value, notes) {
      if (!isObject(value)) return invalid(notes, "an object", value);
      let copy: Record<string, unknown> | undefined;
      for (const key of Object.keys(value)) {
        const out = readBelow(read, value[key], key, notes);
        if (out === value[key]) continue;
        // One invalid entry makes the map invalid. Reading ends here, so that a huge map cannot fill memory with
        // issues.
        if (out === INVALID) return INVALID;
        // The spread makes `__proto__` an own member of the copy, so the assignment does not reach the prototype.
        copy ??= { ...value };
        copy[key] = out;
      }
      return copy ?? value;
    },
    json: () => ({ type: "object", additionalProperties: json() }),
  });
}

/** Returns `true` for a JSON object. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function readMembers(members: readonly Member[], value: unknown, notes: OpenNote[]): unknown {
  if (!isObject(value)) return invalid(notes, "an object", value);
  let copy: Record<string, unknown> | undefined;
  let bad = false;
  for (let index = 0; index < members.length; index++) {
    const member = members[index] as Member;
    const found = value[member.key];
    // Most members pass one of these three tests, so `read` need not be called.
    if (found === undefined && !member.required) continue;
    if (typeof found === member.quick) continue;
    if (member.known?.has(found)) continue;
    const out =
      found === undefined
        ? invalid(notes, member.expected, found, [member.key])
        : readBelow(member.read, found, member.key, notes);
    if (out === found) continue;
    if (out === INVALID) {
      bad = true;
      continue;
    }
    // The spread makes `__proto__` an own member of the copy, so the prototype does not change.
    copy ??= { ...value };
    if (out === undefined) delete copy[member.key];
    else copy[member.key] = out;
  }
  return bad ? INVALID : (copy ?? value);
}

function objectJson(parts: Fields): JsonSchema {
  const properties: JsonSchema = {};
  const required: string[] = [];
  for (const [key, { def }] of Object.entries(parts)) {
    properties[key] = def.json();
    if (def.optional !== true) required.push(key);
  }
  return required.length === 0 ? { type: "object", properties } : { type: "object", properties, required };
}

const objectOrNull = /* @__PURE__ */ tested(
  { kind: "meta", expected: "an object or null", json: { type: ["object", "null"] } },
  (value) => value === null || isObject(value),
);

/** Schema of `_meta`, which is an object or null. Any other value counts as absent. The content is not validated. */
const meta: Schema = /* @__PURE__ */ lenient(objectOrNull);
