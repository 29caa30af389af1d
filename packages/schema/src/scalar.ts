import { INVALID, invalid, type OpenNote, type Read, remarkUnrecognized } from "./note.js";
import { createSchema, type JsonSchema, type Schema, type Unrecognized } from "./schema.js";

// The schemas without a parameter are made once: there are hundreds of uses.
let anything: Schema | undefined;
let anyString: Schema<string> | undefined;
let anyBoolean: Schema<boolean> | undefined;

/** Any JSON value. */
// @__NO_SIDE_EFFECTS__
export function unknown(): Schema {
  anything ??= createSchema({ kind: "unknown", expected: "any value", read: (value) => value, json: () => ({}) });
  return anything;
}

/** A string, if asked for with at least `min` UTF-16 units. */
// @__NO_SIDE_EFFECTS__
export function string(min = 0): Schema<string> {
  if (min > 0) return longString(min);
  anyString ??= createSchema({
    kind: "string",
    expected: "a string",
    quick: "string",
    read: (value, notes) => (typeof value === "string" ? value : invalid(notes, "a string", value)),
    json: () => ({ type: "string" }),
  });
  return anyString;
}

// @__NO_SIDE_EFFECTS__
function longString(min: number): Schema<string> {
  const expected = min === 1 ? "a string that is not empty" : `a string of at least ${min} characters`;
  return createSchema({
    kind: "string",
    expected,
    read: (value, notes) =>
      typeof value === "string" && value.length >= min ? value : invalid(notes, expected, value),
    json: () => ({ type: "string", minLength: min }),
  });
}

/** `true` or `false`. */
// @__NO_SIDE_EFFECTS__
export function boolean(): Schema<boolean> {
  anyBoolean ??= createSchema({
    kind: "boolean",
    expected: "a boolean",
    quick: "boolean",
    read: (value, notes) => (typeof value === "boolean" ? value : invalid(notes, "a boolean", value)),
    json: () => ({ type: "boolean" }),
  });
  return anyBoolean;
}

/** A finite number between the bounds, both included. */
// @__NO_SIDE_EFFECTS__
export function number(min = -Infinity, max = Infinity): Schema<number> {
  return numberSchema("number", Number.isFinite, min, max);
}

/**
 * A whole number between the bounds, both included. Without bounds it may be beyond the safe integers: the protocol's
 * 64-bit numbers are not checked for that.
 */
// @__NO_SIDE_EFFECTS__
export function integer(min = -Infinity, max = Infinity): Schema<number> {
  return numberSchema("integer", Number.isInteger, min, max);
}

// @__NO_SIDE_EFFECTS__
function numberSchema(
  kind: "number" | "integer",
  fits: (value: unknown) => boolean,
  min: number,
  max: number,
): Schema<number> {
  const bounds = [min > -Infinity ? ` from ${min}` : "", max < Infinity ? ` to ${max}` : ""].join("");
  const expected = `a ${kind === "integer" ? "whole " : ""}number${bounds}`;
  return createSchema({
    kind,
    expected,
    read: (value, notes) =>
      fits(value) && (value as number) >= min && (value as number) <= max ? value : invalid(notes, expected, value),
    json: () => {
      const json: JsonSchema = { type: kind };
      if (min > -Infinity) json.minimum = min;
      if (max < Infinity) json.maximum = max;
      return json;
    },
  });
}

/** Exactly this value. */
// @__NO_SIDE_EFFECTS__
export function literal<const V extends string | number | boolean>(value: V): Schema<V> {
  const expected = JSON.stringify(value);
  return createSchema({
    kind: "literal",
    expected,
    known: new Set([value]),
    read: (found, notes) => (found === value ? found : invalid(notes, expected, found)),
    json: () => ({ const: value }),
  });
}

/** One of these strings and no other. */
// @__NO_SIDE_EFFECTS__
export function oneOf<const V extends string>(...values: readonly V[]): Schema<V> {
  const known = new Set<unknown>(values);
  const expected = listed(values);
  return createSchema({
    kind: "oneOf",
    expected,
    known,
    read: (value, notes) => (known.has(value) ? value : invalid(notes, expected, value)),
    json: () => ({ enum: [...values] }),
  });
}

/** One of these strings, a custom one that begins with `_`, or one from a later protocol (which can only be received). */
// @__NO_SIDE_EFFECTS__
export function openEnum<const V extends string>(...values: readonly V[]): Schema<V | `_${string}` | Unrecognized> {
  return tolerantEnum("openEnum", values, (value) => value.startsWith("_"));
}

/**
 * One of these strings for those who write; those who read also get others, as they came. It is for enums that the
 * protocol closes and turnkit opens for receiving; each use is a row of `deviations`.
 */
// @__NO_SIDE_EFFECTS__
export function keptEnum<const V extends string>(...values: readonly V[]): Schema<V | Unrecognized> {
  return tolerantEnum("keptEnum", values, () => false);
}

// @__NO_SIDE_EFFECTS__
function tolerantEnum<T>(kind: string, values: readonly string[], isCustom: (value: string) => boolean): Schema<T> {
  const known = new Set<unknown>(values);
  const read: Read = (value, notes) => {
    if (typeof value !== "string") return invalid(notes, "a string", value);
    if (!known.has(value) && !isCustom(value)) remarkUnrecognized(notes, `expected ${listed(values)}`);
    return value;
  };
  return createSchema({
    kind,
    expected: "a string",
    known,
    read,
    json: () => ({ anyOf: [{ enum: [...values] }, { type: "string" }] }),
  });
}

/** Reads each possibility in order and takes the first that fits. Its issues are those of the one that came closest. */
// @__NO_SIDE_EFFECTS__
export function firstOf<const S extends readonly Schema[]>(...schemas: S): Schema<S[number]["_zod"]["output"]> {
  const defs = schemas.map((schema) => schema._zod.def);
  const expected = [...new Set(defs.map((def) => def.expected))].join(" or ");
  const read: Read = (value, notes) => {
    const mark = notes.length;
    let closest: OpenNote[] | undefined;
    for (const def of defs) {
      const out = def.read(value, notes);
      if (out !== INVALID) return out;
      const issues = notes.splice(mark);
      // An issue at the root says that already the kind of value is wrong: any other attempt came closer.
      if (issues.some((note) => note.about === "issue" && note.reversed.length === 0)) continue;
      if (closest === undefined || isCloser(issues, closest)) closest = issues;
    }
    if (closest === undefined) return invalid(notes, expected, value);
    for (const note of closest) notes.push(note);
    return INVALID;
  };
  return createSchema({
    kind: "firstOf",
    expected,
    read,
    parts: Object.fromEntries(schemas.map((schema, index) => [String(index), schema])),
    json: () => ({ anyOf: defs.map((def) => def.json()) }),
  });
}

/** Fewer issues are closer; of as many, deeper ones are: there more was right on the way. */
function isCloser(issues: readonly OpenNote[], others: readonly OpenNote[]): boolean {
  const depth = (notes: readonly OpenNote[]) => Math.max(...notes.map((note) => note.reversed.length));
  return issues.length < others.length || (issues.length === others.length && depth(issues) > depth(others));
}

function listed(values: readonly string[]): string {
  return values.map((value) => JSON.stringify(value)).join(" or ");
}
