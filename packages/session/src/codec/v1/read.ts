import type { Meta } from "../../content.js";

/** A JSON object that nobody has looked at yet. */
export type Wire = { readonly [key: string]: unknown };

/** Whether a value is a JSON object (not a list). */
export const isObject = (value: unknown): value is Wire =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** An (L) text: what is no text reads as absent. */
export const text = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined);

/** An (L) text of a patch: `null` stays, what is no text reads as absent. */
export const textOrNull = (value: unknown): string | null | undefined => (value === null ? null : text(value));

/** An (L) number. */
export const number = (value: unknown): number | undefined =>
  typeof value === "number" && Number.isFinite(value) ? value : undefined;

/** Whether a marker capability is offered: any object says yes (V1-INIT-09). */
export const isMarked = (value: unknown): boolean => isObject(value);

/** `_meta`, or absent where it is no object (V1-EXT-01). */
export const meta = (value: unknown): Meta | undefined => (isObject(value) ? value : undefined);

/** `_meta` of a patch, where `null` clears. */
export const metaOrNull = (value: unknown): Meta | null | undefined => (value === null ? null : meta(value));

/**
 * An (LS) list: items that do not read are left out, and what is no list reads as empty. Items that stay as they came
 * keep the list itself.
 */
export function list<T>(value: unknown, item: (value: unknown) => T | undefined): readonly T[] {
  if (!Array.isArray(value)) return [];
  const read: T[] = [];
  let same = true;
  for (const candidate of value) {
    const one = item(candidate);
    if (one !== undefined) read.push(one);
    if (one !== candidate) same = false;
  }
  return same ? (value as readonly T[]) : read;
}

/** The object under a key, or an empty one. */
export const part = (wire: Wire, key: string): Wire => {
  const value = wire[key];
  return isObject(value) ? value : {};
};

/** Members that are `undefined` are left out, so that what is sent says only what is known. */
export function compact<T extends object>(wire: T): T {
  const out: { [key: string]: unknown } = {};
  for (const [key, value] of Object.entries(wire)) if (value !== undefined) out[key] = value;
  return out as T;
}
