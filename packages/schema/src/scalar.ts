import { INVALID, invalid, type OpenNote, type Read, remark } from "./note.js";
import { createSchema, type JsonSchema, type Schema, type SchemaDef, type Unrecognized } from "./schema.js";

/**
 * Makes the schema of the values for which `fits` returns true. `extra` describes values that are valid without a call
 * of `fits`.
 */
// @__NO_SIDE_EFFECTS__
export function tested<T>(
  { kind, expected, json }: { readonly kind: string; readonly expected: string; readonly json: JsonSchema },
  fits: (value: unknown) => boolean,
  extra?: Pick<SchemaDef, "quick" | "known">,
): Schema<T> {
  const read: Read = (value, notes) => (fits(value) ? value : invalid(notes, expected, value));
  return createSchema({ kind, expected, read, json: () => ({ ...json }), ...extra });
}

/** Makes the schema of the values with this `typeof`. */
// @__NO_SIDE_EFFECTS__
function ofType<T>(quick: "string" | "boolean"): Schema<T> {
  const row = { kind: quick, expected: `a ${quick}`, json: { type: quick } };
  return tested(row, (value) => typeof value === quick, { quick });
}

// A schema without a parameter is made once, because it is used hundreds of times.
const anything: Schema = /* @__PURE__ */ tested({ kind: "unknown", expected: "any value", json: {} }, () => true);
const anyString: Schema<string> = /* @__PURE__ */ ofType("string");
const anyBoolean: Schema<boolean> = /* @__PURE__ */ ofType("boolean");

/** Returns the schema of any JSON value. */
// @__NO_SIDE_EFFECTS__
export function unknown(): Schema {
  return anything;
}

/** Returns the schema of a string of `min` to `max` Unicode characters. */
// @__NO_SIDE_EFFECTS__
export function string(min = 0, max = Infinity): Schema<string> {
  if (min === 0 && max === Infinity) return anyString;
  const expected = max < Infinity ? `a string of ${min} to ${max} characters` : "a string that is not empty";
  const json = { type: "string", minLength: min, ...(max < Infinity && { maxLength: max }) };
  // A character takes one or two UTF-16 units, so a longer text is refused without counting its characters.
  const fits = (text: string) => text.length <= max * 2 && within([...text].length, min, max);
  return tested(
    { kind: "string", expected, json },
    (value) => isString(value) && (max === Infinity ? value.length >= min : fits(value)),
  );
}

const within = (count: number, min: number, max: number): boolean => count >= min && count <= max;

const isString = (value: unknown): value is string => typeof value === "string";

/** Returns the schema of `true` and `false`. */
// @__NO_SIDE_EFFECTS__
export function boolean(): Schema<boolean> {
  return anyBoolean;
}

/** Makes the schema of a finite number. Both bounds are inclusive. */
// @__NO_SIDE_EFFECTS__
export function number(min = -Infinity, max = Infinity): Schema<number> {
  return numberSchema("number", Number.isFinite, min, max);
}

/**
 * Makes the schema of a whole number. Both bounds are inclusive. Without bounds the number may exceed the safe
 * integers, because the protocol has 64-bit numbers.
 */
// @__NO_SIDE_EFFECTS__
export function integer(min = -Infinity, max = Infinity): Schema<number> {
  return numberSchema("integer", Number.isInteger, min, max);
}

// @__NO_SIDE_EFFECTS__
function numberSchema(
  kind: "number" | "integer",
  isKind: (value: unknown) => boolean,
  min: number,
  max: number,
): Schema<number> {
  const from = min > -Infinity;
  const to = max < Infinity;
  const expected = `a ${kind === "integer" ? "whole " : ""}number${from ? ` from ${min}` : ""}${to ? ` to ${max}` : ""}`;
  const json = { type: kind, ...(from && { minimum: min }), ...(to && { maximum: max }) };
  const fits = (value: unknown) => isKind(value) && (value as number) >= min && (value as number) <= max;
  return tested<number>({ kind, expected, json }, fits);
}

/** Makes the schema of exactly this value. */
// @__NO_SIDE_EFFECTS__
export function literal<const V extends string | number | boolean>(value: V): Schema<V> {
  return closedEnum("literal", [value], { const: value });
}

/** Makes the schema of a string that is one of the given strings. */
// @__NO_SIDE_EFFECTS__
export function oneOf<const V extends string>(...values: readonly V[]): Schema<V> {
  return closedEnum("oneOf", values, { enum: values });
}

// @__NO_SIDE_EFFECTS__
function closedEnum<T>(kind: "literal" | "oneOf", values: readonly unknown[], json: JsonSchema): Schema<T> {
  const known = new Set(values);
  return tested({ kind, expected: listed(values), json }, (value) => known.has(value), { known });
}

/**
 * Makes the schema of a string that is one of the given strings, begins with `_`, or comes from a later protocol
 * version. A string of a later version can be received, but not written.
 */
// @__NO_SIDE_EFFECTS__
export function openEnum<const V extends string>(...values: readonly V[]): Schema<V | `_${string}` | Unrecognized> {
  return tolerantEnum("openEnum", values);
}

/**
 * Makes the schema of a string. One of the given strings can be written, and any string can be received. Use it for
 * enums that are closed in the protocol, if turnkit accepts other values. Each use has a row in `deviations`.
 */
// @__NO_SIDE_EFFECTS__
export function keptEnum<const V extends string>(...values: readonly V[]): Schema<V | Unrecognized> {
  return tolerantEnum("keptEnum", values);
}

// @__NO_SIDE_EFFECTS__
function tolerantEnum<T>(kind: "openEnum" | "keptEnum", values: readonly string[]): Schema<T> {
  const known = new Set<unknown>(values);
  const isCustom = (value: string) => kind === "openEnum" && value.startsWith("_");
  const read: Read = (value, notes) => {
    if (!isString(value)) return invalid(notes, "a string", value);
    if (!known.has(value) && !isCustom(value)) remark(notes, "unrecognized", `expected ${listed(values)}`);
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

/**
 * Makes a union that uses the first schema that fits. If none fits, the result has the issues of the closest attempt.
 */
// @__NO_SIDE_EFFECTS__
export function firstOf<const S extends readonly Schema[]>(...schemas: S): Schema<S[number]["_zod"]["output"]> {
  const defs = schemas.map((schema) => schema.def);
  const expected = [...new Set(defs.map((def) => def.expected))].join(" or ");
  const read: Read = (value, notes) => {
    const mark = notes.length;
    let closest: OpenNote[] | undefined;
    for (const def of defs) {
      const out = def.read(value, notes);
      if (out !== INVALID) return out;
      const issues = notes.splice(mark);
      // An issue at the root means a wrong kind of value, so every other attempt is closer.
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
    parts: () => Object.fromEntries(schemas.map((schema, index) => [String(index), schema])),
    json: () => ({ anyOf: defs.map((def) => def.json()) }),
  });
}

/**
 * Compares two failed attempts. The attempt with fewer issues is closer. If the numbers are equal, the attempt with
 * deeper issues is closer.
 */
function isCloser(issues: readonly OpenNote[], others: readonly OpenNote[]): boolean {
  const depth = (notes: readonly OpenNote[]) => notes.reduce((most, note) => Math.max(most, note.reversed.length), 0);
  return issues.length < others.length || (issues.length === others.length && depth(issues) > depth(others));
}

/** Returns the values as a text for messages. */
export function listed(values: readonly unknown[]): string {
  return values.map((value) => JSON.stringify(value)).join(" or ");
}
