import type { Meta } from "../content.js";

/** JSON object that was not decoded yet. */
export type Wire = { readonly [key: string]: unknown };

/** Returns `true` for a JSON object. A list is not an object. */
export const isObject = (value: unknown): value is Wire =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Returns a text, or `undefined` for any other value. */
export const text = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined);

/** Returns a member of a patch that is a text or `null`. Returns `undefined` for any other value. */
export const textOrNull = (value: unknown): string | null | undefined => (value === null ? null : text(value));

/**
 * Returns a text that a call requires. The schema has checked it. For a value that was not checked and is not a text,
 * the result is empty.
 */
export const required = (value: unknown): string => (typeof value === "string" ? value : "");

/** Returns a number, or `undefined` for any other value. */
export const number = (value: unknown): number | undefined =>
  typeof value === "number" && Number.isFinite(value) ? value : undefined;

/** Returns `true` if a capability is offered by its marker. Every object is a marker. */
// V1-INIT-09, V2-INIT-12
export const isMarked = (value: unknown): boolean => isObject(value);

/** Returns the marker of an offered capability. */
export const mark = (offered: boolean | undefined): object | undefined => (offered ? {} : undefined);

/** Returns `_meta`, or `undefined` for a value that is not an object. */
// V1-EXT-01
export const meta = (value: unknown): Meta | undefined => (isObject(value) ? value : undefined);

/** Returns `_meta` of a patch, in which `null` clears the metadata. */
export const metaOrNull = (value: unknown): Meta | null | undefined => (value === null ? null : meta(value));

/** Adds the `_meta` of a message that is not a patch, if there is one. */
export function withMeta<T extends object>(read: T, wire: Wire): T {
  return isObject(wire._meta) ? { ...read, _meta: wire._meta } : read;
}

/**
 * Reads a list. Malformed items are left out. Any value that is not a list reads as an empty list. If no item changed,
 * the same list is returned.
 */
export function list<T>(value: unknown, item: (value: unknown) => T | undefined): readonly T[] {
  if (!Array.isArray(value)) return [];
  const read = value.map((one) => item(one)).filter((one) => one !== undefined);
  return read.length === value.length && read.every((one, at) => one === value[at]) ? value : read;
}

/** Returns the texts in a list, or `undefined` for a value that is not a list. */
export const texts = (value: unknown): readonly string[] | undefined =>
  Array.isArray(value) ? list(value, text) : undefined;

/** Returns the object stored under `key`, or `{}`. */
export const part = (wire: Wire, key: string): Wire => {
  const value = wire[key];
  return isObject(value) ? value : {};
};

/** Returns the object without some members. If it has none of them, returns the same object. */
export function without(wire: Wire, drop: readonly string[]): Wire {
  if (!drop.some((key) => key in wire)) return wire;
  return Object.fromEntries(Object.entries(wire).filter(([key]) => !drop.includes(key)));
}

/** Returns the object without its `undefined` members, which must not be sent. */
export function compact<T extends object>(wire: T): T {
  const out: { [key: string]: unknown } = {};
  for (const key in wire) if (wire[key] !== undefined && key !== "__proto__") out[key] = wire[key];
  return out as T;
}
