import { INVALID, invalid, readBelow, salvaging } from "./note.js";
import { createSchema, type Schema } from "./schema.js";

/** Makes the schema of an array with at least `min` elements. Every element must be valid. */
// @__NO_SIDE_EFFECTS__
export function list<T>(element: Schema<T>, min = 0): Schema<readonly T[]> {
  return listSchema("list", element, min);
}

/** Makes the schema of an array from which invalid elements are dropped. At least `min` elements must remain. */
// @__NO_SIDE_EFFECTS__
export function sifted<T>(element: Schema<T>, min = 0): Schema<readonly T[]> {
  return listSchema("sifted", element, min);
}

const EMPTY = /* @__PURE__ */ Object.freeze([]);

// @__NO_SIDE_EFFECTS__
function listSchema<T>(kind: "list" | "sifted", element: Schema<T>, min: number): Schema<readonly T[]> {
  const { read: readElement, json, quick } = element.def;
  const drops = kind === "sifted";
  const read = drops ? salvaging(readElement, INVALID) : readElement;
  const enough = min === 1 ? "an array that is not empty" : `an array of at least ${min} elements`;
  return createSchema({
    kind,
    expected: "an array",
    empty: () => (min > 0 ? undefined : EMPTY),
    parts: () => ({ element }),
    read(value, notes) {
      if (!Array.isArray(value)) return invalid(notes, "an array", value);
      let copy: unknown[] | undefined;
      for (let index = 0; index < value.length; index++) {
        const found: unknown = value[index];
        if (typeof found === quick) {
          copy?.push(found);
          continue;
        }
        const out = readBelow(read, found, index, notes);
        // A list without dropping is read up to its first invalid element, so that a huge list cannot fill memory with
        // issues.
        if (out === INVALID && !drops) return INVALID;
        if (out !== found) copy ??= value.slice(0, index);
        if (out !== INVALID) copy?.push(out);
      }
      const found = copy ?? value;
      return found.length < min ? invalid(notes, enough, found) : found;
    },
    json: () => ({ type: "array", items: json(), ...(min > 0 && { minItems: min }) }),
  });
}
