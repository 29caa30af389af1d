import { JSON_CHARACTER_BYTES as CHARACTER, JSON_MEMBER_BYTES as MEMBER } from "./json-bytes.js";

type Members = { [key: string]: unknown };

/** Depth beyond which values are copied by an algorithm that also handles cycles. */
const DEPTH = 100;

/** Deep copy of a JSON object, with an upper bound of its size as JSON in bytes. */
export type MeasuredCopy<T> = { readonly copy: T; readonly mostBytes: number };

/**
 * Returns a deep copy of a JSON value. A `toJSON` method is called. Cycles are copied too. The serialiser refuses them
 * later.
 */
export function jsonCopy<T>(value: T): T {
  return isHolder(value) ? measuredCopy(value).copy : value;
}

/**
 * Returns the {@link jsonCopy} of an object with an upper bound of its size. If the object is nested too deeply, the
 * bound is infinite.
 */
export function measuredCopy<T extends object>(value: T): MeasuredCopy<T> {
  const size: Size = { most: MEMBER };
  const copy = copyOf(value, 0, size) as T | undefined;
  if (copy !== undefined) return { copy, mostBytes: size.most };
  return { copy: copyOfGraph(value) as T, mostBytes: Number.POSITIVE_INFINITY };
}

/** Number of bytes that are counted so far. */
type Size = { most: number };

const isHolder = (value: unknown): value is object => typeof value === "object" && value !== null;

/** Copies an object and counts its bytes. Returns `undefined` for a value that is nested too deeply. */
function copyOf(value: object, depth: number, size: Size): unknown {
  if (depth > DEPTH) return undefined;
  const source = written(value);
  if (!isHolder(source)) {
    if (typeof source === "string") size.most += CHARACTER * source.length;
    return source;
  }
  // A spread is a single step of the engine, and most members are not objects.
  const copy = (Array.isArray(source) ? [...source] : { ...source }) as Members;
  for (const key of Object.keys(copy)) {
    const member = copy[key];
    size.most += MEMBER + CHARACTER * key.length;
    if (typeof member === "string") size.most += CHARACTER * member.length;
    if (!isHolder(member)) continue;
    const inner = copyOf(member, depth + 1, size);
    if (inner === undefined) return undefined;
    put(copy, key, inner);
  }
  return copy;
}

/** Copies a deeply nested value without recursion. Each object is copied only once. */
function copyOfGraph(value: object): unknown {
  const copies = new Map<object, unknown>();
  const open: (readonly [source: object, copy: Members])[] = [];
  const copied = (member: unknown): unknown => {
    if (!isHolder(member)) return member;
    if (copies.has(member)) return copies.get(member);
    const source = written(member);
    const copy = isHolder(source) ? emptyLike(source) : source;
    copies.set(member, copy);
    if (isHolder(source)) open.push([source, copy as Members]);
    return copy;
  };
  const whole = copied(value);
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [source, copy] = next;
    for (const key of Object.keys(source)) put(copy, key, copied((source as Members)[key]));
  }
  return whole;
}

/** Returns the value that JSON writes: the result of `toJSON`, if there is one. */
function written(value: object): unknown {
  const { toJSON } = value as { readonly toJSON?: unknown };
  return typeof toJSON === "function" ? (toJSON.call(value) ?? null) : value;
}

const emptyLike = (source: object): Members => (Array.isArray(source) ? [] : {}) as Members;

function put(copy: Members, key: string, member: unknown): void {
  if (key !== "__proto__") copy[key] = member;
  else Object.defineProperty(copy, key, { value: member, enumerable: true, configurable: true, writable: true });
}
