import { invalid, type Read, refused } from "./note.js";
import { isObject } from "./object.js";
import { createSchema, type Infer, type Schema } from "./schema.js";

type Only<Table extends Readonly<Record<string, Schema>>> = {
  [K in keyof Table & string]: Infer<Table[K]> & { readonly [Other in Exclude<keyof Table & string, K>]?: undefined };
}[keyof Table & string];

/**
 * A union of objects that are told apart by which one of these members is there: a malformed member counts as there, and
 * none of them or several make the object invalid.
 */
// @__NO_SIDE_EFFECTS__
export function exactlyOne<const Table extends Readonly<Record<string, Schema>>>(table: Table): Schema<Only<Table>> {
  const keys = Object.keys(table);
  const expected = `exactly one of ${keys.join(" and ")}`;
  const read: Read = (value, notes) => {
    if (!isObject(value)) return invalid(notes, "an object", value);
    const present = keys.filter((key) => value[key] !== undefined);
    const [key = ""] = present;
    if (present.length === 1) return table[key]?._zod.def.read(value, notes);
    return refused(notes, `expected ${expected}, got ${present.length === 0 ? "none" : present.length}`);
  };
  return createSchema({
    kind: "exactlyOne",
    expected: "an object",
    read,
    parts: table,
    json: () => ({
      oneOf: keys.map((key) => ({
        not: { anyOf: keys.filter((other) => other !== key).map((other) => ({ required: [other] })) },
        allOf: [table[key]?._zod.def.json()],
      })),
    }),
  });
}
