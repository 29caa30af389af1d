import { isObject, list, meta, type Wire } from "./read.js";

/** Reader of a member of an object, or of an item of a list. Returns `undefined` for a malformed value. */
export type Reader<T = unknown> = (value: unknown, wire?: Wire) => T | undefined;

/** Readers by the name of their member. */
export type Readers = { readonly [member: string]: Reader };

/**
 * Members of a JSON object, grouped by how absent, `null` and malformed values are handled. Each object may have
 * metadata.
 */
export type Members = {
  /** Members that must be present. Without them, the object cannot be read. */
  readonly required?: Readers;
  /** Members that are left out if they are `null` or malformed. */
  readonly optional?: Readers;
  /** Members that are left out if they are malformed. `null` stays, because it clears a member in a patch. */
  readonly nullable?: Readers;
  /** Members that may be absent or `null`. If they are malformed, the object cannot be read. */
  readonly strict?: Readers;
  /** Older member names. If a value has an older name, it is read as the newer member. */
  readonly olderNames?: { readonly [member: string]: string };
};

/** Member of an object. */
type Member = {
  readonly name: string;
  readonly olderName: string | undefined;
  readonly rule: "required" | "optional" | "nullable" | "strict";
  readonly read: Reader;
};

/** Function that returns the members of an object. Their list is created by the first call. */
export type Shape = () => readonly Member[];

/** Returns the shape of an object with these members and metadata. */
/* @__NO_SIDE_EFFECTS__ */
export function shape(members: Members): Shape {
  let listed: readonly Member[] | undefined;
  // The list is created when it is first used. All lists together took 0.3 ms of the import.
  return () => (listed ??= listMembers(members));
}

const RULES = ["required", "nullable", "strict", "optional"] as const;

function listMembers({ olderNames = {}, ...members }: Members): readonly Member[] {
  const { nullable, optional } = members;
  const all = { ...members, optional: nullable?._meta ? optional : { ...optional, _meta: meta } };
  return RULES.flatMap((rule) =>
    Object.entries(all[rule] ?? {}).map(([name, read]) => ({ name, olderName: olderNames[name], rule, read })),
  );
}

/**
 * Reads the members of a shape and writes them to `into`. If the object cannot be read, the reason is returned. If
 * `into` is the object itself, `null` and unknown members stay, and the object is copied only for a change.
 */
export function readShape<T extends object>(members: Shape, wire: Wire, into: object): T | string {
  let read = into as { [member: string]: unknown };
  for (const { name, olderName, rule, read: reader } of members()) {
    const isOld = olderName !== undefined && olderName in wire && !(name in wire);
    const given = wire[isOld ? olderName : name];
    // The reader of a required member is always called, because it may use other members.
    if (rule !== "required" && (given === undefined || (given === null && rule === "optional"))) continue;
    const value = given === null && rule !== "required" ? null : reader(given, wire);
    if (value === undefined && (rule === "required" || rule === "strict")) return `${name} cannot be read`;
    if (value === read[name]) continue;
    if (read === wire) read = { ...wire };
    if (isOld) delete read[olderName];
    if (value === undefined) delete read[name];
    else read[name] = value;
  }
  return read as T;
}

/** Returns the reader of an object with these members and metadata. Unknown members stay. */
/* @__NO_SIDE_EFFECTS__ */
export function record<T = Wire>(members: Members): Reader<T> {
  const known = shape(members);
  return (wire) => {
    const read = isObject(wire) ? readShape(known, wire, wire) : "";
    return typeof read === "string" ? undefined : (read as T);
  };
}

/** Returns the reader of an object that is one kind of update. Unknown members are left out. */
/* @__NO_SIDE_EFFECTS__ */
export function knownMembers<T extends object>([members]: readonly [Shape, object?]): Reader<T> {
  return (wire) => {
    const read = isObject(wire) ? readShape<T>(members, wire, {}) : "";
    return typeof read === "string" ? undefined : read;
  };
}

/** Returns a member of a table, or `undefined` if the table itself does not have it. */
export const own = <T>(table: { readonly [name: string]: T }, name: unknown): T | undefined =>
  typeof name === "string" && Object.hasOwn(table, name) ? table[name] : undefined;

/**
 * Returns the reader of an object that has one of several kinds. An object of an unknown kind is returned unchanged.
 */
/* @__NO_SIDE_EFFECTS__ */
export function tagged<T>(kinds: Readers, tag = "type"): Reader<T> {
  return (wire) => {
    if (!isObject(wire) || typeof wire[tag] !== "string") return undefined;
    const read = own(kinds, wire[tag]);
    return (read === undefined ? wire : read(wire)) as T | undefined;
  };
}

/**
 * Returns the reader of a list. Malformed items are left out. The reader returns `undefined` for any value that is not
 * a list.
 */
/* @__NO_SIDE_EFFECTS__ */
export function listOf<T>(read: Reader<T>): Reader<readonly T[]> {
  return (value) => (Array.isArray(value) ? list(value, read) : undefined);
}

/** Returns the reader of a list. If one item is malformed, the reader returns `undefined`. */
/* @__NO_SIDE_EFFECTS__ */
export function wholeListOf<T>(read: Reader<T>): Reader<readonly T[]> {
  return (value) => (Array.isArray(value) && value.every((item) => read(item) !== undefined) ? value : undefined);
}

/** Returns the reader of an integer within bounds. An integer beyond 2^53, which lost its last digits, is accepted. */
// V2-ENV-15
/* @__NO_SIDE_EFFECTS__ */
export function integer(least?: number, most?: number): Reader<number> {
  return (value) => {
    const read = value as number;
    return Number.isInteger(read) && read >= (least ?? read) && read <= (most ?? read) ? read : undefined;
  };
}

/** Returns any value unchanged. */
export const asItIs: Reader = (value) => value;

/** Returns `undefined`. Another reader reads the member. */
export const passedOver: Reader = () => undefined;
