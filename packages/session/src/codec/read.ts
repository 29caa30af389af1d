import type { Meta } from "../content.js";

/** JSON object that was not read yet. */
export type Wire = { readonly [key: string]: unknown };

/** Returns true for a JSON object. A list is none. */
export const isObject = (value: unknown): value is Wire =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** An (L) text: what is no text reads as absent. */
export const text = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined);

/** An (L) text of a patch: `null` stays, what is no text reads as absent. */
export const textOrNull = (value: unknown): string | null | undefined => (value === null ? null : text(value));

/** Reads a text that a call requires. The schema has checked it; an unchecked value that is no text reads as empty. */
export const required = (value: unknown): string => (typeof value === "string" ? value : "");

/** An (L) number. */
export const number = (value: unknown): number | undefined =>
  typeof value === "number" && Number.isFinite(value) ? value : undefined;

/** Returns true if a marker capability is offered. Any object is a marker. */
// V1-INIT-09, V2-INIT-12
export const isMarked = (value: unknown): boolean => isObject(value);

/** The marker of a capability, where it is offered. */
export const mark = (offered: boolean | undefined): object | undefined => (offered ? {} : undefined);

/** `_meta`, or absent where it is no object. */
// V1-EXT-01
export const meta = (value: unknown): Meta | undefined => (isObject(value) ? value : undefined);

/** `_meta` of a patch, where `null` clears. */
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

/** The texts of a list; `undefined` if it is none. */
export const texts = (value: unknown): readonly string[] | undefined =>
  Array.isArray(value) ? list(value, text) : undefined;

/** The object under a key, or an empty one. */
export const part = (wire: Wire, key: string): Wire => {
  const value = wire[key];
  return isObject(value) ? value : {};
};

/** Returns the object without some of its members, or the same object if it has none of them. */
export function without(wire: Wire, drop: readonly string[]): Wire {
  if (!drop.some((key) => key in wire)) return wire;
  return Object.fromEntries(Object.entries(wire).filter(([key]) => !drop.includes(key)));
}

/** Members that are `undefined` are left out, so that what is sent says only what is known. */
export function compact<T extends object>(wire: T): T {
  const out: { [key: string]: unknown } = {};
  for (const key in wire) if (wire[key] !== undefined && key !== "__proto__") out[key] = wire[key];
  return out as T;
}
