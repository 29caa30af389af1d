import type { Meta } from "../content.js";

/** JSON object that was not read yet. */
export type Wire = { readonly [key: string]: unknown };

/** Returns true for a JSON object. A list is none. */
export const isObject = (value: unknown): value is Wire =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Reads a text. Any other value is left out. */
export const text = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined);

/** Reads a text of a patch. `null` stays; any other value is left out. */
export const textOrNull = (value: unknown): string | null | undefined => (value === null ? null : text(value));

/** Reads a text that a call requires. The schema has checked it; an unchecked value that is no text reads as empty. */
export const required = (value: unknown): string => (typeof value === "string" ? value : "");

/** Reads a number. Any other value is left out. */
export const number = (value: unknown): number | undefined =>
  typeof value === "number" && Number.isFinite(value) ? value : undefined;

/** Returns true if a marker capability is offered. Any object is a marker. */
// V1-INIT-09, V2-INIT-12
export const isMarked = (value: unknown): boolean => isObject(value);

/** Returns the marker of an offered capability. */
export const mark = (offered: boolean | undefined): object | undefined => (offered ? {} : undefined);

/** Reads `_meta`. A value that is no object is left out. */
// V1-EXT-01
export const meta = (value: unknown): Meta | undefined => (isObject(value) ? value : undefined);

/** Reads `_meta` of a patch, where `null` clears. */
export const metaOrNull = (value: unknown): Meta | null | undefined => (value === null ? null : meta(value));

/** Adds the `_meta` of a message that is no patch, where it has one. */
export function withMeta<T extends object>(read: T, wire: Wire): T {
  return isObject(wire._meta) ? { ...read, _meta: wire._meta } : read;
}

/**
 * Reads a list. Malformed items are left out, and any other value reads as empty. The same list is returned if no item
 * changed.
 */
export function list<T>(value: unknown, item: (value: unknown) => T | undefined): readonly T[] {
  if (!Array.isArray(value)) return [];
  const read = value.map((one) => item(one)).filter((one) => one !== undefined);
  return read.length === value.length && read.every((one, at) => one === value[at]) ? value : read;
}

/** Reads the texts of a list. Any other value is left out. */
export const texts = (value: unknown): readonly string[] | undefined =>
  Array.isArray(value) ? list(value, text) : undefined;

/** Returns the object stored under `key`, or `{}`. */
export const part = (wire: Wire, key: string): Wire => {
  const value = wire[key];
  return isObject(value) ? value : {};
};

/** Returns the object without some of its members, or the same object if it has none of them. */
export function without(wire: Wire, drop: readonly string[]): Wire {
  if (!drop.some((key) => key in wire)) return wire;
  return Object.fromEntries(Object.entries(wire).filter(([key]) => !drop.includes(key)));
}

/** Removes members that are `undefined`, so that only known facts are sent. */
export function compact<T extends object>(wire: T): T {
  const out: { [key: string]: unknown } = {};
  for (const key in wire) if (wire[key] !== undefined && key !== "__proto__") out[key] = wire[key];
  return out as T;
}
