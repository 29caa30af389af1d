/** Estimated bytes of an empty object or list, of a member without its value, and of an empty string. */
const HOLDER = 24;
const SLOT = 8;
const TEXT = 16;

/** Number of bytes at which counting stops (256 MiB). Without this limit, a circular value would be counted forever. */
const MOST = 268_435_456;

/** Key under which a list stores the size of its items in bytes. It is a symbol, because values from JSON have none. */
export const held: unique symbol = Symbol("held");

/** Sizes in bytes that {@link countGrown} stored. After a change of one part, the other parts are not counted again. */
const counted = /* @__PURE__ */ new WeakMap<object, number>();

type Holder = { readonly [key: string]: unknown; readonly [held]?: number };

/**
 * Returns an estimate of the memory that a JSON value needs, in bytes. Each UTF-16 unit of a string counts as two
 * bytes. Each object and member counts with a fixed size. Latin text needs only half of this estimate.
 */
export function bytesOf(value: unknown): number {
  if (typeof value === "string") return TEXT + 2 * value.length;
  if (typeof value !== "object" || value === null) return 0;
  let bytes = 0;
  // The function is not recursive, because JSON from a peer may be nested deeper than the call stack.
  const open: object[] = [];
  for (let next: object | undefined = value; next !== undefined && bytes < MOST; next = open.pop()) {
    const holder = next as Holder;
    const known = holder[held];
    if (known !== undefined) {
      bytes += known;
      continue;
    }
    if (holder.length !== 0) bytes += HOLDER;
    if (Array.isArray(next)) {
      // `for in` would create a string for every index.
      for (const item of next) {
        if (item === undefined) continue;
        bytes += SLOT;
        if (typeof item === "string") bytes += TEXT + 2 * item.length;
        else if (typeof item === "object" && item !== null) open.push(item);
      }
      continue;
    }
    for (const key in holder) {
      const member = holder[key];
      // JSON drops such members, so they are not counted. A state then has the same size before and after it is stored
      // as JSON.
      if (member === undefined) continue;
      bytes += slotOf(key);
      if (typeof member === "string") bytes += TEXT + 2 * member.length;
      else if (typeof member === "object" && member !== null) open.push(member);
    }
  }
  return bytes;
}

/** Returns the bytes by which `after` is larger than `before`. Only members of `after` with a new value are compared. */
export function grownBy(before: object, after: object): number {
  const [old, now] = [before as Holder, after as Holder];
  let grown = 0;
  for (const key in now) {
    const member = now[key];
    const was = old[key];
    if (member !== was) grown += memberBytes(key, member) - memberBytes(key, was);
  }
  return grown;
}

/** Returns the size that {@link countGrown} stored for a value, or counts the bytes. */
export const countedBytes = (value: unknown): number => counted.get(value as object) ?? bytesOf(value);

/** Stores the size of `after`: the size of `before` and `grown` bytes. Returns `after`. */
export function countGrown<T extends object>(before: object, after: T, grown: number): T {
  // `bytesOf` counts an object with a member `length` like an empty list.
  const isOdd = !Array.isArray(after) && ("length" in before || "length" in after);
  counted.set(after, isOdd ? bytesOf(after) : countedBytes(before) + grown);
  return after;
}

const slotOf = (key: string): number => SLOT + (key.length > SLOT ? key.length : 0);
/** Returns the size in bytes of a member with its name, or 0 if the value is `undefined`. */
export function memberBytes(key: string, value: unknown): number {
  if (value === undefined) return 0;
  return slotOf(key) + (key === "_meta" ? countedBytes(value) : bytesOf(value));
}
