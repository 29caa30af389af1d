import { held } from "./bytes.js";
import type { Meta } from "./content.js";

/** Depth beyond which two values count as different. Values of peers may be nested without end. */
const DEPTH = 64;

/** Returns true if two JSON values are equal. Lists of this package are equal only if they are identical. */
export function same(left: unknown, right: unknown, depth = DEPTH): boolean {
  if (Object.is(left, right)) return true;
  if (typeof left !== "object" || typeof right !== "object" || left === null || right === null) return false;
  if (depth === 0 || held in left || Array.isArray(left) !== Array.isArray(right)) return false;
  const before = left as { readonly [key: string]: unknown };
  const after = right as { readonly [key: string]: unknown };
  const keys = Object.keys(before);
  if (keys.length !== Object.keys(after).length) return false;
  for (const key of keys) if (!Object.hasOwn(after, key) || !same(before[key], after[key], depth - 1)) return false;
  return true;
}

/** Returns the current value if the new one is equal, so that unchanged values keep their identity. */
export function kept<T>(current: T, next: T): T {
  return same(current, next) ? current : next;
}

/** Patches metadata by its top-level keys: `null` removes a key, any other value replaces its value. */
// V2-UPD-04
export function patchedMeta(current: Meta | undefined, patch: Meta | null | undefined): Meta | undefined {
  if (patch === null) return undefined;
  if (typeof patch !== "object") return current;
  const next = stated({ ...current, ...patch });
  return Object.keys(next).length === 0 ? undefined : kept<Meta | undefined>(current, next);
}

/** Returns the members that are neither `null` nor `undefined`. */
export function stated<T extends object>(members: T): { readonly [K in keyof T]: Exclude<T[K], null> } {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value != null)) as never;
}

/**
 * An object type with every member named, if only as `undefined`. Objects that are copied for every event are written out
 * member by member, which costs a tenth of a spread. With this type the compiler reports a forgotten member.
 */
export type Whole<T> = { readonly [K in keyof Required<T>]: T[K] };
