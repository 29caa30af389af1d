/** Bytes of an object or list, of a member and of a string, in addition to their contents. */
const HOLDER = 24;
const SLOT = 8;
const TEXT = 16;

/** Bytes at which counting stops. Only a circular value, which no JSON has, reaches it. */
const MOST = 268_435_456;

/** Member of a list that holds the bytes of its items, counted when they were added. JSON has no such member. */
export const held: unique symbol = Symbol("held");

/** Bytes of values that are changed in parts, so that a change of one part does not count the others again. */
const counted = /* @__PURE__ */ new WeakMap<object, number>();

type Holder = { readonly [key: string]: unknown; readonly [held]?: number };

/**
 * Returns an estimate of the bytes that a JSON value takes in memory: two for each UTF-16 unit of its strings, and some
 * for each object and member. Latin text needs only half of that.
 */
export function bytesOf(value: unknown): number {
  if (typeof value === "string") return TEXT + 2 * value.length;
  if (typeof value !== "object" || value === null) return 0;
  let bytes = 0;
  // Not recursive: JSON from a peer may be nested deeper than a call stack.
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
      // `for in` would make a string of every index.
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
      // JSON has no such member, so a state that was stored as JSON weighs the same.
      if (member === undefined) continue;
      bytes += slotOf(key);
      if (typeof member === "string") bytes += TEXT + 2 * member.length;
      else if (typeof member === "object" && member !== null) open.push(member);
    }
  }
  return bytes;
}

/** Returns the bytes by which one object is larger than another. Members that are equal are not counted. */
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

/** Returns the bytes of a value that is changed in parts: metadata, or the list of options. */
export const countedBytes = (value: unknown): number => counted.get(value as object) ?? bytesOf(value);

/** Remembers the bytes of a value after a change of its parts by `grown` bytes. */
export function countGrown<T extends object>(before: object, after: T, grown: number): T {
  // `bytesOf` counts an object with such a member like an empty list.
  const isOdd = !Array.isArray(after) && ("length" in before || "length" in after);
  counted.set(after, isOdd ? bytesOf(after) : countedBytes(before) + grown);
  return after;
}

const slotOf = (key: string): number => SLOT + (key.length > SLOT ? key.length : 0);
/** Returns the bytes of a member with its name; none for `undefined`. */
export function memberBytes(key: string, value: unknown): number {
  if (value === undefined) return 0;
  return slotOf(key) + (key === "_meta" ? countedBytes(value) : bytesOf(value));
}
